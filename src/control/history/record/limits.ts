/** The version of the format. */
export const RECORD_VERSION = 1;

/** Cap on a line in bytes, its end included. A world whose state is larger has no record. */
export const MAX_LINE_BYTES = 64 * 1024 * 1024;

/** Cap on a record in bytes. */
export const MAX_RECORD_BYTES = 256 * 1024 * 1024;

/** What a record holds, for whoever opens one. */
export const RECORD_NOTICE =
  'What happened in a world of card-sandbox. It holds the test keys, webhook secrets and card numbers of a sandbox.';

/** The end of the names of files with records. */
export const RECORD_SUFFIX = '.record.jsonl';

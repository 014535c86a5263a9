export const RECORD_VERSION = 1;

/** Cap on a line in bytes, its end included. A world whose state is larger has no record. */
export const MAX_LINE_BYTES = 64 * 1024 * 1024;

export const MAX_RECORD_BYTES = 256 * 1024 * 1024;

export const RECORD_NOTICE =
  'What happened in a world of card-sandbox. It holds the test keys, webhook secrets and card numbers of a sandbox.';

export const RECORD_SUFFIX = '.record.jsonl';

import { pid } from 'node:process';
import { runInThisContext } from 'node:vm';
import {
  createRecordFolder,
  MAX_RECORDS,
  type OpenRecord,
  type RecordFolder,
} from '../../sandbox/records/record-folder.ts';

/** The variable with the folder to which sandboxes in process write their records. */
export const RECORDS_VARIABLE = 'CARD_SANDBOX_RECORDS';

/**
 * The variable that `exec` and `exam` set. Its folder takes any number of records, of all sandboxes, also where the command
 * names another one for its own.
 */
export const ALL_RECORDS_VARIABLE = 'CARD_SANDBOX_ALL_RECORDS';

/** The member of the process with its open records: each test file may have a copy of this module. */
const OPEN = Symbol.for('card-sandbox.open-records');

/** The process itself: Jest gives each test file a copy, which emits no events. */
const host: NodeJS.Process & { [OPEN]?: Set<OpenRecord> } = runInThisContext('process');

const folders = new Map<string, RecordFolder>();

let last = 0;

/** Marks the options of a sandbox that somebody else records. */
const UNRECORDED = Symbol('unrecorded');

/** Returns the options of a sandbox that somebody else records. */
export function unrecorded<T extends object>(options: T): T {
  return { ...options, [UNRECORDED]: true };
}

/**
 * Returns the folder that the environment names for the record of a sandbox in process with these options; undefined when
 * it names none. Under `exec` and `exam` it has the records of all sandboxes, whoever else records them.
 */
export function ownRecords(
  options: object,
  environment: Readonly<Record<string, string | undefined>>,
): RecordFolder | undefined {
  const all = environment[ALL_RECORDS_VARIABLE];
  const path = all ?? environment[RECORDS_VARIABLE] ?? '';
  const takesAll = all !== undefined;
  if (path === '' || (UNRECORDED in options && !takesAll)) return undefined;
  const known = folders.get(path);
  if (known !== undefined) return known;
  const max = takesAll ? undefined : MAX_RECORDS;
  const nameOf = () => {
    last += 1;
    return `in-process-${pid}-${last}`;
  };
  const report = (problem: string) => console.error(`card-sandbox: ${problem}`);
  const folder = createRecordFolder(path, nameOf, report, max, openRecords());
  folders.set(path, folder);
  return folder;
}

/** The signals by which runners end the processes of their tests. */
const END_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Returns the open records of the process, which end with it: tests often leave their sandboxes open. */
function openRecords(): Set<OpenRecord> {
  if (host[OPEN] !== undefined) return host[OPEN];
  const records = new Set<OpenRecord>();
  host[OPEN] = records;
  const finish = () => {
    for (const record of records) record.end();
  };
  host.once('exit', finish);
  for (const signal of END_SIGNALS) {
    host.once(signal, () => {
      // Another listener decides when the process exits.
      if (host.listenerCount(signal) > 0) return;
      finish();
      host.kill(pid, signal);
    });
  }
  return records;
}

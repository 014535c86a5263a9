import process, { pid } from 'node:process';
import { createRecordFolder, MAX_RECORDS, type RecordFolder } from '../../sandbox/records/record-folder.ts';

/** The variable with the folder to which sandboxes in process write their records. */
export const RECORDS_VARIABLE = 'CARD_SANDBOX_RECORDS';

/**
 * The variable that `exec` and `exam` set. Its folder takes any number of records, of all sandboxes, also where the command
 * names another one for its own.
 */
export const ALL_RECORDS_VARIABLE = 'CARD_SANDBOX_ALL_RECORDS';

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
  const folder = createRecordFolder(path, nameOf, problem => console.error(`card-sandbox: ${problem}`), max);
  if (folders.size === 0) finishAtExit();
  folders.set(path, folder);
  return folder;
}

/** The signals by which runners end the processes of their tests. */
const END_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Ends all records with this process: tests often leave their sandboxes open. */
function finishAtExit(): void {
  const finish = () => {
    for (const folder of folders.values()) folder.finish();
  };
  process.once('exit', finish);
  for (const signal of END_SIGNALS) {
    process.once(signal, () => {
      // Another listener decides when the process exits.
      if (process.listenerCount(signal) > 0) return;
      finish();
      process.kill(pid, signal);
    });
  }
}

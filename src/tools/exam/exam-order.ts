import { appendFileSync, readFileSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Attend } from '../../client/attendant.ts';
import { Attendance, type Note, type RunNotes } from './attendance.ts';
import type { Disturbance } from './misbehaviour.ts';

/** The variable with the file of the order to the sandboxes that a command creates in its own processes. */
export const EXAM_VARIABLE = 'CARD_SANDBOX_EXAM';

/** How the names of files with notes end. They are beside the order, one for each process. */
const NOTES = '.notes.jsonl';

/** An order to the sandboxes that a command creates in its own processes. */
export interface PlacedOrder {
  /** The file of the order. */
  readonly file: string;
  /** Reads what these sandboxes noted. */
  readInto(notes: RunNotes): Promise<void>;
  /** Removes its files. */
  remove(): Promise<void>;
}

/** Writes an order to a new folder of temporary files. */
export async function placeOrder(disturbance: Disturbance): Promise<PlacedOrder> {
  const folder = await mkdtemp(join(tmpdir(), 'card-sandbox-exam-'));
  const file = join(folder, 'order.json');
  await writeFile(file, JSON.stringify(disturbance));
  return {
    file,
    async readInto(notes) {
      const names = (await readdir(folder)).filter(name => name.endsWith(NOTES)).toSorted();
      for (const name of names) {
        const lines = (await readFile(join(folder, name), 'utf8')).split('\n');
        // A process that is killed may leave half a line.
        for (const line of lines.slice(0, -1)) add(notes, JSON.parse(line));
      }
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

function add(notes: RunNotes, note: Note): void {
  if (note[0] === 'addRequest') notes.addRequest(note[1], note[2]);
  else if (note[0] === 'addDelivery') notes.addDelivery(note[1], note[2]);
  else notes[note[0]]();
}

/** Disturbs a sandbox as the order says, if its process is run by an exam, and writes notes beside the order. */
export const attendExam: Attend = ({ clock }, { [EXAM_VARIABLE]: file = '' }) => {
  if (file === '') return null;
  // The file is written by `placeOrder`.
  const disturbance = JSON.parse(readFileSync(file, 'utf8')) as Disturbance;
  const notesFile = join(dirname(file), `${process.pid}${NOTES}`);
  const write = (note: Note) => appendFileSync(notesFile, `${JSON.stringify(note)}\n`);
  const notes: RunNotes = {
    addRequest: (entry, isAffected) => write(['addRequest', entry, isAffected]),
    addDelivery: (entry, isAffected) => write(['addDelivery', entry, isAffected]),
    addFreeze: () => write(['addFreeze']),
    addOwnClock: () => write(['addOwnClock']),
  };
  if (clock !== undefined) notes.addOwnClock();
  return new Attendance(disturbance, notes);
};

import { appendFileSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Attendance } from './attendance.ts';
import type { Disturbance } from './misbehaviour.ts';
import type { Note, RunNotes } from './run-notes.ts';

/** The variable with the file of the order to the sandboxes that a command creates in its own processes. */
export const EXAM_VARIABLE = 'CARD_SANDBOX_EXAM';

/** How the names of files with notes end. They are beside the order, one for each process. */
export const NOTES = '.notes.jsonl';

/** An order that is to be carried out. */
export interface ExamOrder {
  readonly disturbance: Disturbance;
  readonly attendance: Attendance;
  readonly notes: RunNotes;
}

/** Reads the order in a file. Its notes are written beside it. Throws if the file does not exist. */
export function readOrder(file: string, processId: number): ExamOrder {
  // The file is written by `placeOrder`.
  const disturbance = JSON.parse(readFileSync(file, 'utf8')) as Disturbance;
  const notesFile = join(dirname(file), `${processId}${NOTES}`);
  const write = (note: Note) => appendFileSync(notesFile, `${JSON.stringify(note)}\n`);
  const notes: RunNotes = {
    addRequest: (entry, isAffected) => write(['addRequest', entry, isAffected]),
    addDelivery: (entry, isAffected) => write(['addDelivery', entry, isAffected]),
    addFreeze: () => write(['addFreeze']),
    addOwnClock: () => write(['addOwnClock']),
  };
  return { disturbance, attendance: new Attendance(disturbance, notes), notes };
}

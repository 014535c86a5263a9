import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NOTES } from './exam-order.ts';
import type { Disturbance } from './misbehaviour.ts';
import type { Note, RunNotes } from './run-notes.ts';

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

import type { RealTime } from '../../core/time/realtime.ts';
import type { World } from '../../core/world/world.ts';
import { countRecords } from '../../core/world/world-snapshot.ts';
import { tables } from '../tables.ts';
import { Autosave, type Savable } from './autosave.ts';
import { writeState } from './document/state-writer.ts';
import { type Loaded, StateFile } from './state-file.ts';

export interface Saved {
  readonly file: string;
  readonly bytes: number;
  readonly records: number;
}

export interface StorageHooks {
  readonly realTime: RealTime;
  /** Called with the error of a save that failed after a change, once until a save succeeds. */
  readonly onSaveError: (error: unknown) => void;
}

/** Keeps the state of a world in a file: saves it soon after each change, on demand and at the end. */
export class Storage implements Savable {
  readonly #file: StateFile;
  readonly #hooks: StorageHooks;
  #world: Pick<World, 'state'> | null = null;
  #autosave: Autosave | null = null;
  #savedVersion: unknown;
  #savedAt: Date | null = null;
  #last: Promise<unknown> = Promise.resolve();
  busyMs = 0;

  /** Opens the file. Throws a StateFileError for one that cannot be used, or that another process uses. */
  constructor(path: string, hooks: StorageHooks) {
    this.#hooks = hooks;
    this.#file = StateFile.open(path, hooks.realTime);
  }

  get path(): string {
    return this.#file.path;
  }

  /** The file and when it was written, if a world was loaded from it. */
  get loaded(): { readonly file: string; readonly savedAt: Date } | null {
    return this.#savedAt === null ? null : { file: this.path, savedAt: this.#savedAt };
  }

  /** Returns the content of the file, or null if there is none yet. Throws a StateFileError. */
  read(): Loaded | null {
    const loaded = this.#file.read();
    this.#savedAt = loaded?.savedAt ?? null;
    return loaded;
  }

  /** Saves a world from here on when it changes. */
  keep(world: Pick<World, 'state'>): void {
    this.#world = world;
    this.#savedVersion = world.state.version;
    this.#autosave = new Autosave(this, this.#hooks.realTime, this.#hooks.onSaveError);
  }

  get isChanged(): boolean {
    return this.#world?.state.version !== this.#savedVersion;
  }

  /** Saves the state, after the saves that have been requested before. Rejects with a StateFileError. */
  save(): Promise<Saved> {
    const begin = () => this.#save();
    const saving = this.#last.then(begin, begin);
    this.#last = saving;
    return saving;
  }

  /** Saves the state for the last time. Rejects with a StateFileError. */
  saveLast(): Promise<Saved> {
    this.#autosave?.stop();
    return this.save();
  }

  /** Saves nothing more by itself, and lets other processes have the file. */
  close(): void {
    this.#autosave?.stop();
    this.#file.close();
  }

  async #save(): Promise<Saved> {
    if (this.#world === null) throw new Error('there is no world to save');
    const { state } = this.#world;
    // A change while the state is being saved is saved by the next one.
    const [version, snapshot] = [state.version, state.snapshot()];
    this.busyMs = 0;
    const bytes = await this.#file.save(this.#measured(writeState(snapshot, tables)));
    this.#savedVersion = version;
    return { file: this.path, bytes, records: countRecords(snapshot) };
  }

  /** Measures the processor time of the pieces, which other work of the machine does not prolong. */
  *#measured(pieces: Generator<Uint8Array>): Generator<Uint8Array> {
    for (;;) {
      const start = process.cpuUsage();
      const { done, value } = pieces.next();
      const { user, system } = process.cpuUsage(start);
      this.busyMs += (user + system) / 1_000;
      if (done) return;
      yield value;
    }
  }
}

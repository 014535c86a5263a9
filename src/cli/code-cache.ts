import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { accessSync, constants, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { setTimeout } from 'node:timers';
import { Script } from 'node:vm';

/** The parameters of a CommonJS module. They stand on the first line of its code, so that line numbers stay right. */
const HEAD = '(function (exports, require, module, __filename, __dirname) {';
/** A command that still runs by then has loaded what its start needs. */
const SAVE_AFTER_MS = 2_000;
const LINE_END = 10;
/** The file that imports modules of the user, which code from a cache cannot. */
const IMPORTING = /^import-url-\w+\.cjs$/;

/** What V8 made of each file, by the hash of its text: V8 itself compares only the length. */
type Compiled = ReadonlyMap<string, Buffer>;

/**
 * Loads a file of the package and the files that it requires, with what V8 compiled when they were first loaded. V8
 * compiles most functions when they are first called, a third of the time of a start, and Node's own compile cache has
 * only those that V8 compiles before it runs a file.
 *
 * The compiled code is a file in `folder`, which is inside the package: who can write there could change the code itself.
 * `start` has one, and the other commands share one, because they call other functions of the same files. Where it cannot
 * be written, Node loads the files as usual.
 */
export function loadWithCache(main: string, folder: string, command: string | undefined): void {
  const group = command === 'start' ? command : 'others';
  const cache = join(folder, `${group}-${process.version}-${process.arch}`);
  const compiled = readCompiled(cache);
  if (isOff() || (compiled.size === 0 && !canWrite(folder))) {
    createRequire(main)(main);
    return;
  }
  const loader = new Loader(compiled);
  const save = () => loader.save(cache);
  setTimeout(save, SAVE_AFTER_MS).unref();
  // A command that failed has not called all that it needs.
  process.once('exit', code => code === 0 && save());
  loader.load(main);
}

/** Whether the cache is not wanted: compiled code has no counters for the coverage of its blocks. */
function isOff(): boolean {
  const { NODE_V8_COVERAGE, NODE_DISABLE_COMPILE_CACHE } = process.env;
  return NODE_V8_COVERAGE !== undefined || NODE_DISABLE_COMPILE_CACHE !== undefined;
}

function canWrite(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

class Loader {
  #compiled: Compiled;
  /** What the cache does not have, by the hashes of the files. */
  readonly #scripts = new Map<string, Script>();

  constructor(compiled: Compiled) {
    this.#compiled = compiled;
  }

  /** Loads a CommonJS file and returns its exports. Node knows it too, so that it is never loaded twice. */
  load(file: string): unknown {
    const nodeRequire = createRequire(file);
    const loaded = nodeRequire.cache[file];
    if (loaded !== undefined) return loaded.exports;
    if (IMPORTING.test(basename(file))) return nodeRequire(file);
    const script = this.#compile(file);
    const module = new Module(file);
    module.filename = file;
    nodeRequire.cache[file] = module;
    const require = (id: string) =>
      id.startsWith('.') && id.endsWith('.cjs') ? this.load(join(dirname(file), id)) : nodeRequire(id);
    try {
      script.runInThisContext()(
        module.exports,
        Object.assign(require, nodeRequire),
        module,
        file,
        dirname(file),
      );
    } catch (error) {
      // The next call tries again, as with `require`: a file that it needs may have been unreadable for a moment.
      delete nodeRequire.cache[file];
      throw error;
    }
    module.loaded = true;
    return module.exports;
  }

  /** Adds to the cache what V8 has compiled of new files by now. Other processes see the whole cache or none. */
  save(cache: string): void {
    if (this.#scripts.size === 0) return;
    const added = [...this.#scripts].map(([key, script]) => [key, script.createCachedData()] as const);
    this.#compiled = new Map([...this.#compiled, ...added]);
    this.#scripts.clear();
    const index = JSON.stringify([...this.#compiled].map(([key, { length }]) => [key, length]));
    const draft = `${cache}.${process.pid}`;
    try {
      writeFileSync(draft, Buffer.concat([Buffer.from(`${index}\n`), ...this.#compiled.values()]));
      renameSync(draft, cache);
    } catch {
      // The next start is slower, no more.
    }
  }

  #compile(file: string): Script {
    const text = readFileSync(file, 'utf8');
    const key = createHash('sha1').update(text).digest('hex');
    const cachedData = this.#compiled.get(key);
    const script = new Script(`${HEAD}${text}\n})`, {
      filename: file,
      columnOffset: -HEAD.length,
      ...(cachedData !== undefined && { cachedData }),
    });
    // V8 rejects all or nothing: it runs with other options now.
    if (script.cachedDataRejected) this.#compiled = new Map();
    if (cachedData === undefined || script.cachedDataRejected) this.#scripts.set(key, script);
    return script;
  }
}

/** Reads a cache. Returns an empty one where it is missing or damaged. */
function readCompiled(cache: string): Compiled {
  try {
    const bytes = readFileSync(cache);
    let at = bytes.indexOf(LINE_END) + 1;
    const index: [key: string, length: number][] = JSON.parse(bytes.toString('utf8', 0, at));
    const compiled = new Map<string, Buffer>();
    for (const [key, length] of index) {
      compiled.set(key, bytes.subarray(at, at + length));
      at += length;
    }
    return compiled;
  } catch {
    return new Map();
  }
}

import { relative, resolve, sep } from 'node:path';
import { build } from 'esbuild';

/** The entry points of the program, with the commands that start no sandbox and load little, and of `start`. */
const MAIN = 'src/cli/main.ts';
const START = 'src/cli/commands/start.ts';

/**
 * An esbuild plugin that bundles the code of a start into few files, because to find and open a file costs a start more
 * than the code in it. esbuild makes one file of the modules that the same entry points import. With this plugin, each
 * entry point imports everything that a start loads, whether it uses it or not. There are two exceptions: the
 * program itself imports only what it loads, and the entry points outside the command line import nothing of it.
 *
 * A part of `lazyModules` is an entry point too. Nothing may read it before all of the shared code has run.
 */
export const sharedCode = {
  name: 'shared-code',
  async setup({ initialOptions, onResolve, onLoad, resolve: find }) {
    const { loadedBy, commands } = await importsOf(initialOptions);
    const program = loadedBy([MAIN]);
    const all = loadedBy([MAIN, START]);
    const library = all.filter(file => !file.startsWith('src/cli/'));
    const several = repeated(commands.filter(file => file !== START).flatMap(file => loadedBy([file])));
    const sharedBy = file => {
      if (file === MAIN) return program;
      if (file === START) return all;
      return file.startsWith('src/cli/') ? [...new Set([...all, ...several])] : library;
    };
    onResolve({ filter: /^/ }, async ({ path, kind, resolveDir, pluginData }) => {
      if (pluginData !== undefined || !['entry-point', 'dynamic-import'].includes(kind)) return undefined;
      const found = await find(path, { kind, resolveDir, pluginData: 'shared-code' });
      const file = relative(process.cwd(), found.path).replaceAll(sep, '/');
      return file.startsWith('src/') ? { path: file, namespace: 'entry-point' } : found;
    });
    onLoad({ filter: /^/, namespace: 'entry-point' }, ({ path }) => {
      const imports = sharedBy(path).map(file => `import './${file}';`);
      // An absolute path, because `lazyModules` takes the others.
      const contents = `${imports.join('')} export * from ${JSON.stringify(resolve(path))};`;
      return { contents, resolveDir: process.cwd() };
    });
  },
};

/** Returns what is in a list more than once. */
function repeated(list) {
  return list.filter((each, index) => list.indexOf(each) !== index);
}

/**
 * Returns the source files of the command line that are imported when they are needed, and a function that lists the files
 * that entry points load, without themselves.
 */
async function importsOf(options) {
  const { metafile } = await build({
    ...options,
    entryPoints: [MAIN],
    plugins: options.plugins.filter(({ name }) => name !== 'shared-code'),
    logLevel: 'silent',
  });
  const imported = Object.values(metafile.inputs).flatMap(({ imports }) => imports);
  const commands = imported
    .filter(({ path, kind }) => kind === 'dynamic-import' && path.startsWith('src/cli/'))
    .map(({ path }) => path);
  const loadedBy = entries => {
    const files = new Set(entries);
    for (const file of files) {
      for (const { path, kind } of metafile.inputs[file].imports) {
        if (kind === 'import-statement' && /^src\/.*\.ts$/.test(path)) files.add(path);
      }
    }
    return [...files].filter(file => !entries.includes(file));
  };
  return { loadedBy, commands };
}

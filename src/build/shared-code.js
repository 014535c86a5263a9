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
    const loadedBy = await importsOf(initialOptions);
    const program = loadedBy([MAIN]);
    const all = loadedBy([MAIN, START]);
    const library = all.filter(file => !file.startsWith('src/cli/'));
    const sharedBy = file => {
      if (file === MAIN) return program;
      return file.startsWith('src/cli/') ? all : library;
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

/** Returns a function that lists the source files that entry points of the command line load, without themselves. */
async function importsOf(options) {
  const { metafile } = await build({
    ...options,
    entryPoints: [MAIN],
    plugins: options.plugins.filter(({ name }) => name !== 'shared-code'),
    logLevel: 'silent',
  });
  return entries => {
    const files = new Set(entries);
    for (const file of files) {
      for (const { path, kind } of metafile.inputs[file].imports) {
        if (kind === 'import-statement' && /^src\/.*\.ts$/.test(path)) files.add(path);
      }
    }
    return [...files].filter(file => !entries.includes(file));
  };
}

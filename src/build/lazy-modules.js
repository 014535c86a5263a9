import { readFileSync } from 'node:fs';
import { posix } from 'node:path';

const PART = 'lazy-part:';
/** The file with all parts. */
export const PARTS = 'parts.cjs';

/**
 * Creates an esbuild plugin that loads modules when one of their exports is first read, not when a module that imports
 * them is loaded. `parts` has the file of each such module by the name of its part. Its entry point is `lazy-part:` with
 * that name, and `requireParts` converts the bundled code so that it loads the part.
 *
 * The operations and most schemas are bundled so: to build them takes a fifth of the time of a start.
 */
export function lazyModules(parts) {
  const RESOLVED = 'resolved';
  const partOf = new Map(Object.entries(parts).map(([part, file]) => [file, part]));
  return {
    name: 'lazy-modules',
    setup({ onResolve, onLoad, resolve }) {
      onResolve({ filter: /^\..*\.ts$/ }, async ({ path, resolveDir, kind, pluginData }) => {
        if (pluginData === RESOLVED) return undefined;
        const { path: file } = await resolve(path, { resolveDir, kind, pluginData: RESOLVED });
        return partOf.has(file) ? { path: file, namespace: 'lazy-module' } : undefined;
      });
      onLoad({ filter: /^/, namespace: 'lazy-module' }, ({ path }) => {
        const contents = lazyExports(exportsOf(readFileSync(path, 'utf8')), PART + partOf.get(path));
        return { contents, resolveDir: import.meta.dirname };
      });
      onResolve({ filter: /^lazy-part:/ }, ({ path, kind }) =>
        // Code that is bundled and required would have to be wrapped in functions, with all that it imports.
        kind === 'entry-point' ? { path: parts[path.slice(PART.length)] } : { path, external: true },
      );
    },
  };
}

/** Returns the names of the values that a module exports. Throws an error for an export that it does not understand. */
function exportsOf(code) {
  const unknown = /^export (?!(?:type|interface|const|function) |\{ .* \} from ).*/m.exec(code);
  if (unknown !== null) throw new Error(`a lazy module cannot have this export: ${unknown[0]}`);
  const declared = [...code.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) => name);
  const passedOn = [...code.matchAll(/^export \{ (.*) \} from/gm)].flatMap(([, names]) => names.split(', '));
  return [...declared, ...passedOn];
}

/** Converts what requires a part to a call of the file of all parts, in the code of a file by its path in the bundle. */
export function requireParts(text, path) {
  const file = posix.relative(posix.dirname(path), PARTS);
  return text.replaceAll(
    /\b__require\d*\("lazy-part:([^"]+)"\)/g,
    (_, part) => `require("${file.startsWith('.') ? file : `./${file}`}").load("${part}")`,
  );
}

/**
 * Creates an esbuild plugin that loads a CommonJS package, which is the part `parts/NAME`, when one of its exports is first
 * read. All of its named exports must be functions or classes.
 *
 * The bundled command uses it for `yaml`: the built-in fixtures are JSON by then, so most starts parse no YAML, and
 * loading the parser takes 9 of the 200 ms of processor time of a start. A dynamic import would make it
 * asynchronous to read a fixture, and with it `createSandbox`.
 */
export function lazyPackage(name) {
  return {
    name: `lazy-${name}`,
    setup({ onResolve, onLoad }) {
      onResolve({ filter: new RegExp(`^${name}$`) }, ({ path }) => ({ path, namespace: 'lazy-package' }));
      onLoad({ filter: /^/, namespace: 'lazy-package' }, async () => {
        const names = Object.keys(await import(name)).filter(each => each !== 'default');
        return { contents: lazyExports(names, `${PART}parts/${name}`, `.${name}`) };
      });
    },
  };
}

/** The code of a module with the named exports of a part, which it loads when one of them is first read. */
function lazyExports(names, part, path = '') {
  const getters = names.map(name => `get ${name}() { return load().${name}; }`);
  return `
    let loaded;
    const load = () => (loaded ??= require(${JSON.stringify(part)})${path});
    module.exports = { ${getters.join(', ')} };`;
}

import { readFileSync } from 'node:fs';
import { posix } from 'node:path';

const PART = 'lazy-part:';

/**
 * Creates an esbuild plugin that loads modules when one of their exports is first read, not when a module that imports
 * them is loaded. `parts` has the file of each such module, by the name of the file that it is bundled into. Its entry
 * point is `lazy-part:` with that name, and `requireParts` converts the bundled code so that it loads the file.
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
        const getters = exportsOf(readFileSync(path, 'utf8')).map(
          name => `get ${name}() { return load().${name}; }`,
        );
        const contents = `
          let loaded;
          const load = () => (loaded ??= require("${PART}${partOf.get(path)}"));
          module.exports = { ${getters.join(', ')} };`;
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

/** Converts what requires a part to the path of its file, in the code of a file by its path in the bundle. */
export function requireParts(text, path) {
  return text.replaceAll(/\b__require\d*\("lazy-part:([^"]+)"\)/g, (_, part) => {
    const file = posix.relative(posix.dirname(path), `${part}.cjs`);
    return `require("${file.startsWith('.') ? file : `./${file}`}")`;
  });
}

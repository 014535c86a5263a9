import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where a package finds what it takes from among the globals. */
const SOURCES = [
  [
    join(import.meta.dirname, '../core/values/builtins.ts'),
    [
      'AbortController',
      'AbortSignal',
      'queueMicrotask',
      'setImmediate',
      'clearImmediate',
      'setTimeout',
      'clearTimeout',
    ],
  ],
  ['node:buffer', ['Blob', 'Buffer', 'File']],
  ['node:perf_hooks', ['performance']],
  ['node:stream/web', ['ReadableStream', 'TransformStream', 'WritableStream']],
  ['node:url', ['URL', 'URLSearchParams']],
  ['node:util', ['TextDecoder', 'TextEncoder']],
  ['node:worker_threads', ['BroadcastChannel', 'MessageChannel', 'MessagePort']],
];

/**
 * Creates an esbuild plugin that gives a package the globals of Node.js as imports, as the code of the sandbox has them: a
 * DOM environment and libraries of fake timers replace the global ones.
 */
export function ownGlobals(name) {
  return {
    name: 'own-globals',
    setup({ onLoad }) {
      onLoad({ filter: new RegExp(`node_modules[\\\\/]${name}[\\\\/].*\\.js$`) }, ({ path }) => {
        const code = readFileSync(path, 'utf8');
        const imports = SOURCES.flatMap(([source, names]) => {
          const used = names.filter(each => isFree(each, code));
          return used.length === 0
            ? []
            : `const { ${used.join(', ')} } = require(${JSON.stringify(source)});`;
        });
        return { contents: `'use strict';${imports.join('')}${code}` };
      });
    },
  };
}

/** Whether a module uses a global and declares nothing of the same name. */
function isFree(name, code) {
  const declared = new RegExp(
    `\\b(?:class|function|const|let|var) ${name}\\b|\\b(?:const|let|var) \\{[^}]*\\b${name}\\b[^}]*\\} =`,
  );
  return new RegExp(`(?<![\\w.$'])${name}\\b(?!')`).test(code) && !declared.test(code);
}

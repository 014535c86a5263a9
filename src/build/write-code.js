import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';
import { transform } from 'esbuild';
import { PARTS, requireParts } from './lazy-modules.js';

/** The URL of the module, which CommonJS has no expression for. */
const MODULE_URL = 'const moduleUrl = process.getBuiltinModule("node:url").pathToFileURL(__filename).href;\n';

/** What loads a part from the file of all parts. Each runs when it is first loaded. */
const LOAD = `"use strict";
const loaded = {};
exports.load = name => {
  if (loaded[name] === undefined) parts[name]((loaded[name] = { exports: {} }));
  return loaded[name].exports;
};
exports.loaded = () => Object.keys(loaded);
`;

/**
 * Writes what esbuild bundled as ES modules with splitting, converted to CommonJS because esbuild splits only ES modules.
 * The parts of `lazyModules` become one file, because each further one costs an install and a start more than its code.
 * Each entry point in `wrapped` also gets an ES module with the same exports, so that `import` and `require` load one
 * copy of the code.
 */
export async function writeCode(folder, { outputFiles, metafile }, wrapped) {
  const parts = [];
  await Promise.all(
    outputFiles.map(async ({ path, text }) => {
      const file = relative(folder, path).replaceAll(sep, '/');
      const { inputs, exports } = metafile.outputs[relative(process.cwd(), path).replaceAll(sep, '/')];
      const converted = await toCommonJs(requireParts(text, file), isOfPackages(inputs));
      const entry = file.replace(/\.cjs$/, '');
      if (entry.startsWith('parts/')) {
        const code = converted.replaceAll(/\brequire\("(?:\.\.\/)+/g, 'require("./');
        parts.push(`${JSON.stringify(entry)}(module) {\n${code}}`);
        return;
      }
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, converted);
      if (!wrapped.includes(entry)) return;
      const code = `export { ${exports.join(', ')} } from './${posix.basename(file)}';\n`;
      writeFileSync(join(folder, `${entry}.js`), code);
    }),
  );
  writeFileSync(join(folder, PARTS), `${LOAD}const parts = {\n${parts.sort().join(',\n')}\n};\n`);
}

/** Returns whether nearly all of a file is from other packages, which need not be readable. */
function isOfPackages(inputs) {
  const sum = files => files.reduce((bytes, [, { bytesInOutput }]) => bytes + bytesInOutput, 0);
  const all = Object.entries(inputs);
  return sum(all.filter(([file]) => file.includes('node_modules/'))) > 0.95 * sum(all);
}

async function toCommonJs(text, isSmall) {
  const input = text
    // The conversion would remove the comments that name the source of each part.
    .replaceAll(/^\/\/ (?=\S+$)/gm, '//! ')
    // What packages require is converted below.
    .replaceAll(/\b__require\d*\((?="node:)/g, 'require(')
    // Jest refuses dynamic imports in CommonJS. Those of other files, such as fixtures, remain.
    .replaceAll(/\bimport\(("(?:\.[^"]+\.cjs|node:[^"]+)")\)/g, 'Promise.resolve().then(() => require($1))');
  const { code } = await transform(input, {
    format: 'cjs',
    platform: 'node',
    target: 'node20.19',
    define: { 'import.meta.url': 'moduleUrl' },
    legalComments: isSmall ? 'eof' : 'inline',
    minifyWhitespace: isSmall,
    logLevel: 'warning',
  });
  const url = code.includes('moduleUrl') ? MODULE_URL : '';
  const converted = code
    // The exports are used as they are: a copy, with a getter for each getter, is slow.
    .replace(
      /module\.exports ?= ?__toCommonJS\(stdin_exports\);/,
      'module.exports = __defProp(stdin_exports, "__esModule", { value: true });',
    )
    // Jest replaces `require`, so that its mocks of `node:fs` would apply to the sandbox. Packages have variables with the
    // name `process`.
    .replaceAll(/\brequire\((?="node:)/g, 'globalThis.process.getBuiltinModule(')
    // Other characters, which are in comments, would double the memory of a file, and the time to read it.
    .replaceAll(/[^\0-\x7f]/g, character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return `"use strict";\n${url}${converted}`;
}

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';
import { transform } from 'esbuild';
import { PARTS, requireParts } from './lazy-modules.js';

/** The URL of the module, which CommonJS has no expression for. */
const MODULE_URL = 'const moduleUrl = process.getBuiltinModule("node:url").pathToFileURL(__filename).href;\n';

/** The file with the chunks that neither a start nor a sandbox in process loads. */
const CHUNKS = 'chunks.cjs';

/** What loads one of several modules of a file. Each runs when it is first loaded. */
const LOAD = `"use strict";
const loaded = {};
exports.load = name => {
  if (loaded[name] === undefined) modules[name]((loaded[name] = { exports: {} }));
  return loaded[name].exports;
};
exports.loaded = () => Object.keys(loaded);
`;

/**
 * Writes what esbuild bundled as ES modules with splitting, converted to CommonJS because esbuild splits only ES modules.
 * The parts of `lazyModules` become one file, and so do small chunks, because each further file costs an install and a
 * start more than its code. Each entry point in `wrapped` also gets an ES module with the same exports, so that `import`
 * and `require` load one copy of the code.
 */
export async function writeCode(folder, { outputFiles, metafile }, wrapped) {
  const outputs = new Map(
    Object.entries(metafile.outputs).map(([path, output]) => [
      relative(folder, join(process.cwd(), path)).replaceAll(sep, '/'),
      output,
    ]),
  );
  const eager = eagerFiles(outputs);
  const isPacked = file => file.startsWith('chunk-') && !eager.has(file);
  const packs = { [PARTS]: [], [CHUNKS]: [] };
  await Promise.all(
    outputFiles.map(async ({ path, text }) => {
      const file = relative(folder, path).replaceAll(sep, '/');
      const { inputs, exports } = outputs.get(file);
      const entry = file.replace(/\.cjs$/, '');
      const converted = await toCommonJs(requireParts(text, file), isOfPackages(inputs));
      const code = converted.replaceAll(
        /\brequire\("((?:\.{1,2}\/)+)(chunk-\w+)\.cjs"\)/g,
        (call, up, name) => (isPacked(`${name}.cjs`) ? `require("${up}${CHUNKS}").load("${name}")` : call),
      );
      const pack = entry.startsWith('parts/') ? PARTS : isPacked(file) ? CHUNKS : undefined;
      if (pack !== undefined) {
        const moved = code.replaceAll(/\brequire\("(?:\.\.\/)+/g, 'require("./');
        packs[pack].push(`${JSON.stringify(entry)}(module) {\n${moved}}`);
        return;
      }
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, code);
      if (!wrapped.includes(entry)) return;
      const wrapper = `export { ${exports.join(', ')} } from './${posix.basename(file)}';\n`;
      writeFileSync(join(folder, `${entry}.js`), wrapper);
    }),
  );
  for (const [file, modules] of Object.entries(packs)) {
    writeFileSync(join(folder, file), `${LOAD}const modules = {\n${modules.sort().join(',\n')}\n};\n`);
  }
}

/** The files that a start or a sandbox in process loads at once. */
function eagerFiles(outputs) {
  const entries = [...outputs].filter(([, { entryPoint = '' }]) =>
    /\b(?:index|main|start)\.ts$/.test(entryPoint),
  );
  const eager = new Set(entries.map(([file]) => file));
  for (const file of eager) {
    for (const { path, kind } of outputs.get(file)?.imports ?? []) {
      if (kind === 'import-statement') eager.add(posix.basename(path));
    }
  }
  return eager;
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

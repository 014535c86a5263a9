// Builds the parts of the package that are not in git: `dist` and THIRD_PARTY_LICENSES. Run with `npm run build`; an
// install in a clone runs it too.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build as bundle } from 'esbuild';
import { build as buildPage } from 'vite';
import { parse } from 'yaml';
import { writeDeclarations } from './declarations.js';
import { lazyPackage } from './lazy-package.js';
import { plainBuiltins } from './plain-builtins.js';
import { thirdPartyLicenses } from './third-party-licenses.js';

const ROOT = join(import.meta.dirname, '../..');
const SOURCE = join(ROOT, 'src');
const DIST = join(ROOT, 'dist');

const { exports, peerDependencies = {} } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const peers = Object.keys(peerDependencies);
/** The entry points in `exports`, without folder and extension: `index` for `./dist/index.js`. */
const entries = Object.values(exports).flatMap(
  target => /^\.\/dist\/(.+)\.js$/.exec(target.default)?.[1] ?? [],
);
/** Bundled besides: the command, and the modules that the benchmarks measure. */
const internalEntries = ['cli/main', 'sandbox/sandbox', 'surfaces/http/server'];

process.chdir(ROOT);
rmSync(DIST, { recursive: true, force: true });
const [codeFiles, pageFiles] = await Promise.all([
  bundleCode(),
  bundlePage(),
  writeDeclarations(DIST, entries, peers),
]);
writeBuiltIn('.');
writeBuiltIn('scenarios');
writeFileSync(join(ROOT, 'THIRD_PARTY_LICENSES'), thirdPartyLicenses(ROOT, [...codeFiles, ...pageFiles]));

/** Bundles the code for Node with its packages, not minified so that it can be debugged. Returns the bundled files. */
async function bundleCode() {
  const { metafile } = await bundle({
    entryPoints: [...entries, ...internalEntries].map(entry => join(SOURCE, `${entry}.ts`)),
    outbase: SOURCE,
    outdir: DIST,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    minifySyntax: true,
    external: peers,
    plugins: [plainBuiltins, lazyPackage('yaml')],
    // Express loads it for body parsers that are not used here. With its encoding tables it is half a megabyte.
    alias: { 'body-parser': join(SOURCE, 'build/no-body-parser.cjs') },
    // CommonJS packages require Node's built-in modules.
    banner: {
      js: "const require = process.getBuiltinModule('node:module').createRequire(import.meta.url);",
    },
    logLevel: 'warning',
    metafile: true,
  });
  const files = Object.values(metafile.outputs).flatMap(output => Object.keys(output.inputs));
  return files.map(file => join(ROOT, file));
}

/** Bundles the dashboard. Returns the bundled modules. */
async function bundlePage() {
  const { output } = await buildPage({ root: join(SOURCE, 'dashboard'), logLevel: 'warn' });
  return output.flatMap(part => (part.type === 'chunk' ? part.moduleIds : []));
}

/** Converts the built-in YAML files of a folder to JSON, so that a start does not parse YAML. */
function writeBuiltIn(folder) {
  const from = join(ROOT, 'fixtures', folder);
  const to = join(DIST, 'built-in', folder);
  mkdirSync(to, { recursive: true });
  for (const file of readdirSync(from).filter(each => each.endsWith('.yaml'))) {
    const value = parse(readFileSync(join(from, file), 'utf8'));
    writeFileSync(join(to, file.replace(/yaml$/, 'json')), JSON.stringify(value));
  }
}

// Builds everything that the package ships and git does not hold: `dist` and THIRD_PARTY_LICENSES. Run with
// `npm run build`; an install in a clone does so too.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build as bundle } from 'esbuild';
import { build as buildPage } from 'vite';
import { parse } from 'yaml';
import { writeDeclarations } from './declarations.js';
import { plainBuiltins } from './plain-builtins.js';
import { thirdPartyLicenses } from './third-party-licenses.js';
import { whenUsed } from './when-used.js';
import { workedOut } from './worked-out.js';

const ROOT = join(import.meta.dirname, '../..');
const SOURCE = join(ROOT, 'src');
const BUILT = join(ROOT, 'dist');

const { exports, peerDependencies = {} } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const peers = Object.keys(peerDependencies);
/** What `exports` promises, without folder and ending: `index` for `./dist/index.js`. */
const entries = Object.values(exports).flatMap(
  target => /^\.\/dist\/(.+)\.js$/.exec(target.default)?.[1] ?? [],
);
/** The command, and what the benchmarks measure: parts that are not for others to import. */
const parts = ['cli/main', 'sandbox/sandbox', 'surfaces/http/server'];

process.chdir(ROOT);
rmSync(BUILT, { recursive: true, force: true });
const [code, page] = await Promise.all([
  bundleCode(),
  bundlePage(),
  writeDeclarations(BUILT, entries, peers),
]);
writeBuiltIn('.');
writeBuiltIn('scenarios');
writeFileSync(join(ROOT, 'THIRD_PARTY_LICENSES'), thirdPartyLicenses(ROOT, [...code, ...page]));

/** Bundles what runs on Node, packages included, readable for whoever debugs. Returns the files that went in. */
async function bundleCode() {
  const sources = [];
  const { metafile } = await bundle({
    entryPoints: [...entries, ...parts].map(entry => join(SOURCE, `${entry}.ts`)),
    outbase: SOURCE,
    outdir: BUILT,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    minifySyntax: true,
    external: peers,
    plugins: [
      plainBuiltins,
      whenUsed('yaml'),
      workedOut(join(SOURCE, 'resources/kyc/name-lists.ts'), sources),
    ],
    // Express loads it for parsers of bodies that nothing here uses; with its tables of encodings it is half a megabyte.
    alias: { 'body-parser': join(SOURCE, 'build/no-body-parser.cjs') },
    // Packages in CommonJS require what belongs to Node.
    banner: {
      js: "const require = process.getBuiltinModule('node:module').createRequire(import.meta.url);",
    },
    logLevel: 'warning',
    metafile: true,
  });
  const inputs = Object.values(metafile.outputs).flatMap(output => Object.keys(output.inputs));
  return [...inputs, ...sources].map(file => join(ROOT, file));
}

/** Bundles the dashboard. Returns the modules that went in. */
async function bundlePage() {
  const { output } = await buildPage({ root: join(SOURCE, 'dashboard'), logLevel: 'warn' });
  return output.flatMap(part => (part.type === 'chunk' ? part.moduleIds : []));
}

/** Reads the built-in files of a folder now, so that a start does not have to. */
function writeBuiltIn(folder) {
  const from = join(ROOT, 'fixtures', folder);
  const to = join(BUILT, 'built-in', folder);
  mkdirSync(to, { recursive: true });
  for (const file of readdirSync(from).filter(each => each.endsWith('.yaml'))) {
    const value = parse(readFileSync(join(from, file), 'utf8'));
    writeFileSync(join(to, file.replace(/yaml$/, 'json')), JSON.stringify(value));
  }
}

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
import { writeCode } from './write-code.js';

const ROOT = join(import.meta.dirname, '../..');
const SOURCE = join(ROOT, 'src');
const DIST = join(ROOT, 'dist');
const UNUSED = join(SOURCE, 'build/unused-package.cjs');

const { exports, peerDependencies = {} } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const peers = Object.keys(peerDependencies);
/** The entry points in `exports`, without folder and extension: `index` for `./dist/index.js`. */
const entries = namesOf('import', 'js');
/** The entry points that can also be required. The others have a peer that cannot. */
const requiredEntries = namesOf('require', 'cjs');
/** Bundled besides: the command, and the modules that the benchmarks measure. */
const measuredEntries = ['sandbox/sandbox', 'surfaces/http/server'];

/**
 * An esbuild plugin that bundles the English messages of zod alone. The Model Context Protocol SDK imports all of zod, and
 * with it messages in 50 languages, which every start would load.
 */
const englishOnly = {
  name: 'english-only',
  setup({ onLoad }) {
    onLoad({ filter: /zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: `export { default as en } from './en.js';`,
    }));
  },
};

process.chdir(ROOT);
rmSync(DIST, { recursive: true, force: true });
const [codeFiles, pageFiles] = await Promise.all([
  bundleCode(),
  bundlePage(),
  bundlePeerEntries(),
  writeDeclarations(DIST, entries, peers),
]);
writeBuiltIn('.');
writeBuiltIn('scenarios');
writeFileSync(join(ROOT, 'THIRD_PARTY_LICENSES'), thirdPartyLicenses(ROOT, [...codeFiles, ...pageFiles]));

/** The names of the entry points that have a condition in `exports`. */
function namesOf(condition, extension) {
  const file = new RegExp(`^\\./dist/(.+)\\.${extension}$`);
  return Object.values(exports).flatMap(target => file.exec(target[condition]?.default)?.[1] ?? []);
}

/**
 * Bundles the entry points with peers as ES modules, so that their peers are those that the importing program has. They
 * import the rest of the package.
 */
async function bundlePeerEntries() {
  await bundle({
    entryPoints: entries.filter(entry => entry !== 'index').map(entry => join(SOURCE, `${entry}.ts`)),
    outdir: DIST,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    external: peers,
    plugins: [external('./surfaces/in-process/create-sandbox.ts', './index.js')],
    logLevel: 'warning',
  });
}

/** Creates an esbuild plugin that imports another file instead of bundling a module. */
function external(module, file) {
  const plugin = ({ onResolve }) =>
    onResolve({ filter: /^/ }, ({ path }) => (path === module ? { path: file, external: true } : undefined));
  return { name: 'external', setup: plugin };
}

/** Bundles the code for Node with its packages, not minified so that it can be debugged. Returns the bundled files. */
async function bundleCode() {
  const result = await bundle({
    entryPoints: [...requiredEntries, 'cli/main', ...measuredEntries].map(entry =>
      join(SOURCE, `${entry}.ts`),
    ),
    outbase: SOURCE,
    outdir: DIST,
    outExtension: { '.js': '.cjs' },
    write: false,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    minifySyntax: true,
    external: peers,
    plugins: [plainBuiltins, lazyPackage('yaml'), englishOnly],
    // Loaded for what is not used here: the body parsers of Express, with half a megabyte of encoding tables, and the
    // checks of what people enter for the Model Context Protocol.
    alias: Object.fromEntries(['body-parser', 'ajv', 'ajv-formats'].map(name => [name, UNUSED])),
    logLevel: 'warning',
    metafile: true,
  });
  await writeCode(DIST, result, ['index', ...measuredEntries]);
  const files = Object.values(result.metafile.outputs).flatMap(output => Object.keys(output.inputs));
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

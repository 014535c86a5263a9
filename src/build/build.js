// Builds the parts of the package that are not in git: `dist`, THIRD_PARTY_LICENSES and sbom.cdx.json. Run with `npm run
// build`; an install in a clone runs it too.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import { build as bundle } from 'esbuild';
import { build as buildPage } from 'vite';
import { parse } from 'yaml';
import { billOfMaterials, bundledPackages, thirdPartyLicenses } from './bundled-packages.js';
import { writeDeclarations } from './declarations.js';
import { importSource } from './import-source.js';
import { lazyModules, lazyPackage } from './lazy-modules.js';
import { ownGlobals } from './own-globals.js';
import { sharedCode } from './shared-code.js';
import { writeCode } from './write-code.js';

const ROOT = join(import.meta.dirname, '../..');
const SOURCE = join(ROOT, 'src');
const DIST = join(ROOT, 'dist');
/** The last file that is written, by which `build-if-changed.js` knows a complete build. */
const BILL = join(ROOT, 'sbom.cdx.json');
const UNUSED = join(SOURCE, 'build/unused-package.cjs');

const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const { exports, peerDependencies = {} } = manifest;
const peers = Object.keys(peerDependencies);
/** The entry points in `exports`, without folder and extension: `index` for `./dist/index.js`. */
const entries = namesOf('import', 'js');
/** The entry points that can also be required. The others have a peer that cannot. */
const requiredEntries = namesOf('require', 'cjs');
/** Bundled besides: the command, and the modules that the benchmarks measure. */
const measuredEntries = ['sandbox/sandbox', 'server/http/server'];
/** What only the entry point for Vitest needs of the rest of the package. */
const TEST_RECORDS = 'server/in-process/test-records';

const NODE = { bundle: true, metafile: true, platform: 'node', target: 'node20.19', logLevel: 'warning' };

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

/** The modules of schemas, of examples and of the register, each of which is loaded when it is first needed. */
const LAZY =
  /^(?:(?:service\/[^/]+|sandbox\/fixtures\/file)\/schema|core\/[^/]+\/[^/]+-schema|service\/webhooks\/payloads|sandbox\/(?:config-schema|accepted-input)|server\/openapi\/response-examples|client\/response-schemas)\.ts$/;

process.chdir(ROOT);
// Without it, no build is taken for complete.
rmSync(BILL, { force: true });
rmSync(DIST, { recursive: true, force: true });
const [files] = await Promise.all([
  Promise.all([bundleCode(), bundlePage(), bundleLoader(), bundlePeerEntries()]),
  writeDeclarations(DIST, entries, peers),
]);
const { parseFixture } = await importSource(join(SOURCE, 'sandbox/fixtures/file/parse.ts'));
writeBuiltIn('.', 'fixtures', parseFixture);
writeBuiltIn('scenarios', 'scenarios');
const packages = bundledPackages(ROOT, files.flat());
writeFileSync(join(ROOT, 'THIRD_PARTY_LICENSES'), thirdPartyLicenses(packages));
writeFileSync(BILL, `${JSON.stringify(billOfMaterials(manifest, packages))}\n`);

/** The names of the entry points that have a condition in `exports`. */
function namesOf(condition, extension) {
  const file = new RegExp(`^\\./dist/(.+)\\.${extension}$`);
  return Object.values(exports).flatMap(target => file.exec(target[condition]?.default)?.[1] ?? []);
}

/** Bundles what loads the command. Returns the bundled files. */
async function bundleLoader() {
  const result = await bundle({
    ...NODE,
    entryPoints: [join(SOURCE, 'cli/code-cache.ts')],
    outfile: join(DIST, 'cli/code-cache.cjs'),
    format: 'cjs',
  });
  return bundledFiles(result);
}

/**
 * Bundles the entry points with peers as ES modules, so that their peers are those that the importing program has. They
 * import the rest of the package. Returns the bundled files.
 */
async function bundlePeerEntries() {
  const result = await bundle({
    ...NODE,
    entryPoints: entries.filter(entry => entry !== 'index').map(entry => join(SOURCE, `${entry}.ts`)),
    outdir: DIST,
    format: 'esm',
    external: peers,
    plugins: [external({ './index.ts': './index.js', [`./${TEST_RECORDS}.ts`]: './test-records.cjs' })],
  });
  return bundledFiles(result);
}

/** Creates an esbuild plugin that imports other files instead of bundling modules. */
function external(files) {
  const plugin = ({ onResolve }) =>
    onResolve({ filter: /^/ }, ({ path }) =>
      path in files ? { path: files[path], external: true } : undefined,
    );
  return { name: 'external', setup: plugin };
}

/** Bundles the code for Node with its packages, not minified so that it can be debugged. Returns the bundled files. */
async function bundleCode() {
  const parts = lazyParts();
  const result = await bundle({
    ...NODE,
    entryPoints: [
      ...[...requiredEntries, 'cli/main', ...measuredEntries].map(entry => ({
        in: join(SOURCE, `${entry}.ts`),
        out: entry,
      })),
      { in: join(SOURCE, `${TEST_RECORDS}.ts`), out: 'test-records' },
      ...Object.keys(parts).map(part => ({ in: `lazy-part:${part}`, out: part })),
    ],
    outbase: SOURCE,
    outdir: DIST,
    outExtension: { '.js': '.cjs' },
    write: false,
    splitting: true,
    format: 'esm',
    minifySyntax: true,
    external: peers,
    plugins: [sharedCode, lazyPackage('yaml'), lazyModules(parts), englishOnly, ownGlobals('undici')],
    // Loaded for what is not used here: the body parsers of Express, with half a megabyte of encoding tables, and the
    // checks of what people enter for the Model Context Protocol.
    alias: {
      ...Object.fromEntries(
        ['body-parser', 'ajv', 'ajv-formats', 'supports-color'].map(name => [name, UNUSED]),
      ),
      undici: join(SOURCE, 'build/undici.cjs'),
    },
  });
  await writeCode(DIST, result, ['index', ...measuredEntries]);
  return bundledFiles(result);
}

/** The source files of what esbuild has bundled. */
function bundledFiles({ metafile }) {
  const files = Object.values(metafile.outputs).flatMap(output => Object.keys(output.inputs));
  return files.map(file => join(ROOT, file));
}

/** What a start does not need, by the names of the parts: the operations, the schemas, and the parser of YAML. */
function lazyParts() {
  const table = readFileSync(join(SOURCE, 'sandbox/operation-groups.ts'), 'utf8');
  const operations = [...table.matchAll(/^import \{.*\} from '(.*)';$/gm)].map(([, path]) =>
    posix.join('sandbox', path),
  );
  const lazy = readdirSync(SOURCE, { recursive: true })
    .map(file => file.replaceAll(sep, '/'))
    .filter(file => LAZY.test(file));
  const files = [...operations, ...lazy, 'sandbox/operations.ts', 'sandbox/records/record-folder.ts'];
  const modules = files.map(file => [`parts/${file.replace(/\.ts$/, '')}`, join(SOURCE, file)]);
  return { ...Object.fromEntries(modules), 'parts/yaml': join(SOURCE, 'build/yaml.js') };
}

/** Bundles the dashboard. Returns the bundled modules. */
async function bundlePage() {
  const { output } = await buildPage({ root: join(SOURCE, 'dashboard'), logLevel: 'warn' });
  return output.flatMap(part => (part.type === 'chunk' ? part.moduleIds : []));
}

/**
 * Parses the built-in YAML files of a folder into one file, and checks them with `check`, so that a start does neither.
 * Each is kept with the hash of the text that it was parsed from.
 */
function writeBuiltIn(folder, name, check) {
  const from = join(ROOT, 'fixtures', folder);
  const files = readdirSync(from).filter(each => each.endsWith('.yaml'));
  const built = files.map(file => {
    const text = readFileSync(join(from, file), 'utf8');
    const content = check?.({ name: file, text }).content;
    return [file, { hash: createHash('sha256').update(text).digest('base64'), value: parse(text), content }];
  });
  writeFileSync(join(DIST, `built-in-${name}.json`), JSON.stringify(Object.fromEntries(built)));
}

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import pkg from '../../package.json' with { type: 'json' };
import { blocksOf } from '../docs/support/markdown.ts';
import { atFileEnd } from '../support/at-file-end.ts';
import { hoverTexts } from './hover-texts.ts';
import {
  compile,
  compileText,
  type Installed,
  install,
  linkPackages,
  packagesIn,
  ROOT,
  run,
} from './installed.ts';

/** A package in the bill of materials. */
interface Component {
  readonly group?: string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly licenses: readonly { readonly expression?: string; readonly license?: { readonly id: string } }[];
}

const COMPILER = join(ROOT, 'node_modules/typescript/bin/tsc');

let installed: Installed;

const atEnd = atFileEnd();
beforeAll(async () => {
  installed = await install(atEnd);
  linkPackages(installed, ['@types/node', 'undici-types']);
});

const inPackage = (file: string) => join(installed.folder, 'node_modules/card-sandbox', file);

test('an install is one package of at most 5 MiB and 200 files, and runs no script', () => {
  const own = packagesIn(installed).filter(name => !/^(?:@types|undici-types)/.test(name));
  expect(own).toEqual(['card-sandbox']);
  const bytes = installed.packed.files.reduce((sum, file) => sum + statSync(inPackage(file)).size, 0);
  expect(bytes).toBeLessThanOrEqual(5 * 1_024 ** 2);
  expect(installed.packed.files.length).toBeLessThanOrEqual(200);
  expect(installed.output).toMatch(/^added 1 package/m);
  expect(installed.output).not.toContain('> card-sandbox');
  // npm reports `prepare` as an install script. `prepublish` runs in a clone only.
  expect(
    Object.keys(pkg.scripts).filter(name => /^(?:(?:pre|post)?install|(?:pre|post)?prepare)$/.test(name)),
  ).toEqual([]);
  expect(Object.keys(pkg)).not.toContain('dependencies');
});

test('the package contains what it needs and what its documents link to, and nothing else', () => {
  const { files } = installed.packed;
  expect(files).toEqual(
    expect.arrayContaining([
      ...['README.md', 'LICENSE', 'CHANGELOG.md', 'THIRD_PARTY_LICENSES', 'AGENTS.md', 'docs/llms.txt'],
      'sbom.cdx.json',
      ...['dist/index.js', 'dist/index.cjs', 'dist/index.d.ts', 'dist/index.d.cts'],
      ...['dist/msw.d.ts', 'dist/msw.d.cts', 'dist/vitest.d.ts', 'fixtures/starter.yaml'],
      ...['schemas/fixture.json', 'schemas/scenario.json', 'schemas/config.json', 'schemas/record.json'],
    ]),
  );
  const roots = new Set(files.map(file => file.replace(/\/.*/, '')));
  expect(
    [...roots].filter(
      root => !/^(?:bin|dist|docs|examples|fixtures|schemas|skills)$|^[A-Z_]+(?:\.md)?$/.test(root),
    ),
  ).toEqual(['Dockerfile', 'package.json', 'sbom.cdx.json']);
  // What only contributors read.
  expect(files.filter(file => /^(?:CONTRIBUTING|docs\/(?:architecture|decisions))/.test(file))).toEqual([]);
  expect(files.filter(file => /\.(?:map|[cm]?tsx?)$/.test(file) && !/\.d\.c?ts$/.test(file))).toEqual([]);
});

test('llms.txt lists every document', () => {
  const documents = readdirSync(inPackage('docs')).filter(file => file.endsWith('.md'));
  const list = readFileSync(inPackage('docs/llms.txt'), 'utf8');
  expect(documents.filter(file => !list.includes(`](${file})`))).toEqual([]);
});

test('every link of a document leads to a file or a folder of the package', () => {
  const { files } = installed.packed;
  const documents = files.filter(file => /\.md$|llms\.txt$/.test(file));
  expect(documents.length).toBeGreaterThan(20);
  const links = documents.flatMap(file => {
    const text = readFileSync(inPackage(file), 'utf8');
    return [...text.matchAll(/\]\((?!https?:)([^)#\s]+)/g)].map(([, link = '']) => ({ file, link }));
  });
  expect(links.length).toBeGreaterThan(100);
  expect(links.filter(({ file, link }) => !existsSync(join(inPackage(file), '..', link)))).toEqual([]);
});

test('every file that the commands of a document name is in the package', () => {
  const { files } = installed.packed;
  const documents = files.filter(file => file.endsWith('.md'));
  const commands = documents.flatMap(file =>
    blocksOf(readFileSync(inPackage(file), 'utf8'))
      .filter(({ language }) => language === 'sh')
      .map(({ text }) => text),
  );
  const named = [...commands.join('').matchAll(/\b(?:node_modules\/card-sandbox|package)\/([\w./-]+)/g)];
  const paths = named.map(([, path = '']) => path);
  expect(paths).toContain('Dockerfile');
  expect(paths.filter(path => !existsSync(inPackage(path)))).toEqual([]);
  // A folder of the package alone would be one of the project.
  expect(commands.filter(text => /[ "']examples\//.test(text))).toEqual([]);
});

test('THIRD_PARTY_LICENSES names every bundled package', () => {
  const licences = readFileSync(inPackage('THIRD_PARTY_LICENSES'), 'utf8');
  const code = readdirSync(inPackage('dist'), { recursive: true, encoding: 'utf8' })
    .filter(file => /\.c?js$/.test(file))
    .map(file => readFileSync(inPackage(join('dist', file)), 'utf8'));
  // The bundler names the source of each part in a comment.
  const bundled = code.flatMap(text =>
    [...text.matchAll(/^\s*\/\/!? .*node_modules\/((?:@[^/]+\/)?[^/]+)\//gm)].map(([, name = '']) => name),
  );
  expect(new Set(bundled).size).toBeGreaterThan(20);
  const named = [...new Set(bundled), 'preact', '@preact/signals', '@preact/signals-core'];
  expect(named.filter(name => !new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(`, 'm').test(licences))).toEqual(
    [],
  );
  const fonts = readdirSync(join(ROOT, 'src/dashboard/fonts')).filter(file => file.endsWith('.woff2'));
  expect(fonts).toEqual(['inter.woff2']);
  expect(licences).toContain('SIL OPEN FONT LICENSE');
  expect(licences).toContain('The Inter Project Authors');
});

test('sbom.cdx.json names what THIRD_PARTY_LICENSES names, with version, licence, purl and dependencies', () => {
  const licences = readFileSync(inPackage('THIRD_PARTY_LICENSES'), 'utf8');
  const titles = [...licences.matchAll(/^-{80}\n(\S+) (\S+) \((?:.*, )?(.+)\)\n-{80}$/gm)].map(
    ([, ...parts]) => parts,
  );
  const { components, dependencies, metadata } = JSON.parse(readFileSync(inPackage('sbom.cdx.json'), 'utf8'));
  const rows = (components as Component[]).map(({ group, name, version, licenses: [licence] }) => [
    group === undefined ? name : `${group}/${name}`,
    version,
    licence?.expression ?? licence?.license?.id,
  ]);
  expect(rows).toEqual(titles);
  expect(metadata.component).toMatchObject({
    name: pkg.name,
    version: pkg.version,
    purl: `pkg:npm/card-sandbox@${pkg.version}`,
  });
  const purls = (components as Component[]).map(({ purl }) => purl);
  expect(
    purls.filter(purl => !/^pkg:(?:npm\/(?:%40[^/]+\/)?|github\/[^/]+\/)[^@/]+@v?\d[\w.+-]*$/.test(purl)),
  ).toEqual([]);
  // Every package is one that another one needs, or that the project itself uses.
  const needed = (dependencies as { dependsOn: string[] }[]).flatMap(({ dependsOn }) => dependsOn);
  expect(purls.filter(purl => !needed.includes(purl))).toEqual([]);
});

test('declarations import only peers', () => {
  const declarations = installed.packed.files.filter(file => /\.d\.c?ts$/.test(file));
  const specifiers = declarations.flatMap(file =>
    [...readFileSync(inPackage(file), 'utf8').matchAll(/(?:from |import\()['"]([^'"]+)/g)].map(
      ([, it]) => it,
    ),
  );
  const outside = new Set(specifiers.filter(each => !each?.startsWith('.')));
  expect([...outside].sort()).toEqual(['msw', 'vitest']);
});

test('the examples in hover texts compile, and what they name exists', async () => {
  linkPackages(installed, ['msw', 'vitest']);
  const declarations = (file: string) => readFileSync(inPackage(`dist/${file}`), 'utf8');
  const entries = {
    'card-sandbox': declarations('index.d.ts'),
    'card-sandbox/msw': declarations('msw.d.ts'),
    'card-sandbox/vitest': declarations('vitest.d.ts'),
  };
  const { program, examples, unknownRoutes } = hoverTexts(entries, declarations('types.d.cts'));
  expect(examples).toBeGreaterThan(8);
  expect(unknownRoutes).toEqual([]);
  // The declarations of the peers may have errors.
  const options = { module: 'nodenext', types: ['node'], lib: ['ES2022', 'DOM', 'ESNext.Disposable'] };
  await compileText(installed, 'hover-texts', program, COMPILER, { ...options, skipLibCheck: true });
});

test('a program that uses the installed package compiles under strict, and runs', async () => {
  const story = await compile(installed, 'story', COMPILER, { module: 'nodenext', types: ['node'] });
  expect(await run(process.execPath, [story], installed.folder)).toBe(
    `story complete on ${process.version}\n`,
  );
});

test('a CommonJS program that uses the installed package compiles under strict, and runs', async () => {
  const options = { module: 'nodenext', types: ['node'], verbatimModuleSyntax: false };
  const program = await compile(installed, 'required.cts', COMPILER, options);
  expect(await run(process.execPath, [program], installed.folder)).toBe(`required on ${process.version}\n`);
});

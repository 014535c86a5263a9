import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const documents = readdirSync(join(ROOT, 'docs')).filter(name => name.endsWith('.md'));
const decisions = readdirSync(join(ROOT, 'docs/decisions'));
const files = [
  ...['README.md', 'AGENTS.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'docs/llms.txt'],
  ...documents.map(name => `docs/${name}`),
  ...decisions.map(name => `docs/decisions/${name}`),
];

/** The targets of the links of a document, without links to other sites. */
function linksIn(file: string): string[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = '']) =>
    link.includes('://') ? [] : [link],
  );
}

/** The anchors of the headings of a document. */
function anchorsIn(file: string): string[] {
  const headings = [...readFileSync(file, 'utf8').matchAll(/^#+ (.*)$/gm)];
  return headings.map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );
}

test.each(files)('every link in %s has a target', file => {
  const dead = linksIn(file).filter(link => {
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? join(ROOT, file) : join(ROOT, dirname(file), path);
    return !existsSync(target) || (anchor !== undefined && !anchorsIn(target).includes(anchor));
  });
  expect(dead).toEqual([]);
});

test('the README links to every document for users', () => {
  const links = linksIn('README.md').map(link => link.split('#')[0]);
  const forContributors = ['architecture.md', 'exam-samples.md'];
  const expected = documents.filter(name => !forContributors.includes(name));
  expect(expected.filter(name => !links.includes(`docs/${name}`))).toEqual([]);
});

test('the index of decisions links to every record', () => {
  const records = decisions.filter(name => name !== 'README.md');
  expect(records.filter(name => !linksIn('docs/decisions/README.md').includes(name))).toEqual([]);
});

test('every link of a packed document leads to a file or a folder of the package', () => {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts', '--loglevel=error'];
  const shell = process.platform === 'win32';
  const [packed] = JSON.parse(execFileSync('npm', args, { cwd: ROOT, shell, encoding: 'utf8' }));
  const paths = (packed.files as { path: string }[]).map(({ path }) => path);
  const contents = new Set(
    paths.flatMap(path => path.split('/').map((_, index, steps) => steps.slice(0, index + 1).join('/'))),
  );
  const packedDocuments = paths.filter(path => /\.md$|llms\.txt$/.test(path));
  expect(packedDocuments.length).toBeGreaterThan(20);
  const dead = packedDocuments.flatMap(file =>
    linksIn(file)
      .map(link => [file, link.split('#')[0] ?? ''] as const)
      .filter(([, path]) => path !== '' && !contents.has(posix.join(posix.dirname(file), path)))
      .map(([, path]) => `${file}: ${path}`),
  );
  expect(dead).toEqual([]);
});

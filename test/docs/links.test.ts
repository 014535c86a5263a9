import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
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

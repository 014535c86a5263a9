import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { show } from '../../../src/cli/output/show.ts';
import { wrapLines, wrapMarkdown } from '../../../src/cli/output/wrap.ts';
import { packagePath } from '../../../src/sandbox/fixtures/file/source.ts';

const words = fc.stringMatching(/^[a-z]{1,12}$/);

test('a wrapped message keeps its words in their order, and no line is longer than the terminal', () => {
  const lines = fc.array(fc.array(words, { minLength: 1, maxLength: 20 }), { minLength: 1, maxLength: 5 });
  const message = lines.map(all => all.map(line => line.join(' ')).join('\n  '));
  fc.assert(
    fc.property(message, fc.integer({ min: 20, max: 100 }), (text, width) => {
      const wrapped = wrapLines(text, width);
      expect(wrapped.split(/\s+/)).toEqual(text.split(/\s+/));
      for (const line of wrapped.split('\n')) expect(line.length).toBeLessThanOrEqual(width);
      for (const line of text.split('\n').filter(each => each.length <= width))
        expect(wrapped.split('\n')).toContain(line);
    }),
  );
});

test('a continued line is indented, a URL stays whole, and what is piped is not wrapped', () => {
  const url = `https://example.com/${'a'.repeat(60)}`;
  const text = `error: the page\n  refused: GET ${url} is unknown`;
  expect(wrapLines(text, 30)).toBe(`error: the page\n  refused: GET\n      ${url}\n      is unknown`);
  expect(wrapLines(text, Number.POSITIVE_INFINITY)).toBe(text);
});

test('the values of a record continue in their column, JSON by its members', () => {
  const cause = 'partner_acme is not subscribed to card.issued; set webhookUrl and subscribedEvents';
  const lines = show({ id: 'evt_1', cause, payload: '{"id":"evt_1","data":{}}' }, undefined, 44);
  expect(lines.split('\n')).toEqual([
    '  id       evt_1',
    '  cause    partner_acme is not subscribed to',
    '           card.issued; set webhookUrl and',
    '           subscribedEvents',
    '  payload  {"id":"evt_1","data":{}}',
  ]);
  expect(show({ payload: '{"id":"evt_1","data":{"amount":5}}' }, undefined, 40)).toContain(
    '\n               "amount": 5\n',
  );
});

test('each page of the guide keeps its commands, tables and words when it is wrapped', () => {
  const folder = packagePath('skills/card-sandbox');
  for (const name of readdirSync(folder)) {
    const text = readFileSync(`${folder}/${name}`, 'utf8');
    const wrapped = wrapMarkdown(text, 80);
    expect(wrapped.split(/\s+/)).toEqual(text.split(/\s+/));
    const fixed = /^(?:---[\s\S]*?^---|```[\s\S]*?^```|\|.*|#.*)$/gm;
    expect(wrapped.match(fixed)).toEqual(text.match(fixed));
    for (const line of wrapped
      .replace(fixed, '')
      .split('\n')
      .filter(each => each.includes(' ')))
      expect(line.length).toBeLessThanOrEqual(80);
  }
});

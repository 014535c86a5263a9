import { expect, test } from 'vitest';
import { writeReport } from '../../../src/tools/evidence/report.ts';
import { exampleEvidence } from './example-evidence.ts';

const hints = (id: string) => (id === 'cards.issue 201' ? 'Issue a card & look' : null);
const reportOf = (evidence = exampleEvidence()) => writeReport(evidence, hints);

/** The text of the report without markup, with one space between words. */
function textOf(report: string): string {
  return report
    .replace(/<style>[\s\S]*<\/style>/, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');
}

/** The parts of the markup that match. */
const all = (pattern: RegExp, report: string) => [...report.matchAll(pattern)].map(([, text]) => text);

test('the report is a whole page that may load nothing', () => {
  const html = reportOf();
  expect(html).toMatch(/^<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">/);
  expect(html).toContain("content=\"default-src 'none'; style-src 'unsafe-inline'\"");
  expect(html).toMatch(/<\/main>\n<\/body>\n<\/html>\n$/);
});

test('the report begins with what was run, when, with which version and where', () => {
  const html = reportOf();
  const [facts = ''] = all(/<dl>([\s\S]*?)<\/dl>/g, html);
  expect(facts).toBe(
    [
      '<dt>Command</dt><dd><code>npm test -- --grep &quot;a &amp; b&quot;</code></dd>',
      '<dt>Tried on</dt><dd>2026-03-15T10:00:00.000Z, in 13 s</dd>',
      '<dt>Interface</dt><dd>version 1.0.0</dd>',
      '<dt>card-sandbox</dt><dd>1.2.3, seed 42, no profile</dd>',
      '<dt>Machine</dt><dd>Node.js v22.1.0, linux x64</dd>',
    ].join('\n'),
  );
  const withProfile = writeReport({ ...exampleEvidence(), profile: { names: {}, assume: {} } }, hints);
  expect(withProfile).toContain('1.2.3, seed 42, with a profile');
});

test('the report counts what was seen of each kind, rounded down', () => {
  const html = reportOf();
  expect(all(/<li>([\s\S]*?)<\/li>/g, html).map(tile => textOf(tile ?? '').trim())).toEqual([
    '2 of 4 documented conditions',
    '1 of 2 operations',
    '0 of 1 refusals',
    '1 of 1 events',
    '0 of 1 other conditions',
  ]);
  expect(all(/width:(\d+)%/g, html)).toEqual(['50', '50', '0', '100', '0']);
  const [one, , three] = exampleEvidence().conditions;
  if (one === undefined || three === undefined) throw new Error('too few conditions');
  const conditions = [one, one, three];
  expect(all(/width:(\d+)%/g, writeReport({ ...exampleEvidence(), conditions }, hints))).toEqual([
    ...['66', '66', '100', '100', '100'],
  ]);
});

test('the report says what the exam found, or that nothing was found, or that there was none', () => {
  const html = reportOf();
  expect(textOf(html)).toContain(
    'The command passed. Of the misbehaviours it survived 1; 2 are findings ; 1 were not exercised.',
  );
  expect(html).toContain('<span class="bad">2 are findings</span>');
  const { exam, ...rest } = exampleEvidence();
  const summary = { ...exam.summary, survived: 3, broke: 0, appliedTwice: 0 };
  const sound = writeReport({ ...rest, exam: { ...exam, causes: [], summary } }, hints);
  expect(sound).toContain('it survived 3; <span class="good">nothing was found</span>;');
  expect(sound).not.toContain('Findings');
  const accepting = { ...exam, summary: { ...summary, accepted: 4 } };
  expect(writeReport({ ...rest, exam: accepting }, hints)).toContain('4 are findings');
  const failed = writeReport(
    { ...rest, exam: { ...exam, baseline: 'failed', results: [], causes: [] } },
    hints,
  );
  expect(failed).toContain(
    '<p class="bad">The command failed without any misbehaviour, so there was no exam.</p>',
  );
  expect(failed).not.toContain('The command passed');
  expect(failed).toContain('<p>There was no exam.</p>');
  expect(html).not.toContain('There was no exam');
});

test('each cause is a finding with its results and lines, escaped', () => {
  const html = reportOf();
  expect(all(/<div class="finding">([\s\S]*?)<\/div>/g, html)).toEqual([
    '<h3>The app&#39;s retries &lt;b&gt;</h3><p><code>connection-lost-after.cards.issue</code> <span class="bad">applied-twice</span>, <code>error-500-before</code> <span class="bad">broke</span></p><pre>at issue() &amp; again\nat main()</pre>',
    '<h3>Without lines</h3><p><code>error-500-before</code> <span class="bad">broke</span></p>',
  ]);
  expect(html).toContain('<h2>Findings</h2>\n<div class="finding">');
});

test('conditions stand below the sections of their operations, seen ones with their count and time, others with a hint', () => {
  const html = reportOf();
  expect(all(/<h3>(Section[\s\S]*?)<\/h3>/g, html).map(each => textOf(each ?? '').trim())).toEqual([
    'Section 4.3 0 of 1 seen',
    'Section 4.4 1 of 2 seen',
    'Section 6.1 1 of 1 seen',
    'Section 6.10 0 of 1 seen',
  ]);
  const rows = all(/<section>([\s\S]*?)<\/section>/g, html).join('');
  expect(all(/<tr>([\s\S]*?)<\/tr>/g, rows)).toEqual([
    '<td class="mark"><span class="open">– not seen</span></td><td><code class="id">cards.issue 201</code><span class="note">(documented, 4.3)</span><span class="note">Issue a card &amp; look</span></td><td class="number"></td>',
    '<td class="mark"><span class="good">✓ seen</span></td><td><code class="id">cards.list 200</code><span class="note">(documented, 4.4), first 2026-03-15T10:00:01.000Z</span></td><td class="number">3×</td>',
    '<td class="mark"><span class="open">– not seen</span></td><td><code class="id">cards.list 400</code><span class="note">(documented, 7.1)</span></td><td class="number"></td>',
    '<td class="mark"><span class="good">✓ seen</span></td><td><code class="id">event card.issued</code><span class="note">(documented, 6.1), first 2026-03-15T10:00:01.000Z</span></td><td class="number">1×</td>',
    '<td class="mark"><span class="open">– not seen</span></td><td><code class="id">idle &lt;hours&gt;</code><span class="note">(assumed, 6.10)</span></td><td class="number"></td>',
  ]);
});

test('a condition that was seen has no hint', () => {
  expect(writeReport(exampleEvidence(), id => `about ${id}`)).not.toContain('about cards.list 200');
});

test('each misbehaviour has its verdict, kind, reason and remarks, and further lines below', () => {
  const html = reportOf();
  const [, table = ''] = html.split('<h2>Misbehaviours of network and service</h2>');
  const [body = ''] = all(/<tbody>([\s\S]*?)<\/tbody>/g, table);
  expect(all(/<tr>([\s\S]*?)<\/tr>/g, body)).toEqual([
    '<td class="mark"><span class="good">survived</span></td><td><code class="id">webhooks-twice</code><span class="note">as before</span><span class="note">twice &lt;in a row&gt;</span></td><td class="number">benign</td>',
    '<td class="mark"><span class="bad">applied-twice</span></td><td><code class="id">connection-lost-after.cards.issue</code><span class="note">two cards</span><pre>- card_1 &amp; card_2\n- &quot;again&quot;</pre></td><td class="number">benign</td>',
    '<td class="mark"><span class="bad">broke</span></td><td><code class="id">error-500-before</code><span class="note">exit code 1</span></td><td class="number">benign</td>',
    '<td class="mark"><span class="open">not-exercised</span></td><td><code class="id">signature-missing</code><span class="note">none</span></td><td class="number">malign</td>',
  ]);
});

test('the report names the commands that check the folder', () => {
  const html = reportOf();
  expect(html).toContain('<pre>npx card-sandbox@1.2.3 evidence verify .</pre>');
  expect(html).toContain('<pre>sha256sum -c MANIFEST</pre>');
});

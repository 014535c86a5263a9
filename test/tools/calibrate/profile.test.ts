import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { ASSUMPTIONS } from '../../../src/client/generated/assumptions.ts';
import type { Calibration } from '../../../src/tools/calibrate/calibrate.ts';
import { evidenceText, markdownReport, profileText } from '../../../src/tools/calibrate/profile.ts';

const SHOWN = {
  request: { method: 'GET', path: '/partner/cards' },
  response: { status: 200, body: { data: [] } },
};

const CALIBRATION: Calibration = {
  service: 'https://service.example.com/`v1`',
  observedAt: '2026-03-15T10:00:00.000Z',
  names: { service: 'acme' },
  results: [
    {
      id: 'balance',
      verdict: 'observed',
      evidence: { at: 't1', seen: 'the balance has the assumed fields', exchanges: [SHOWN] },
    },
    {
      id: 'list-order',
      verdict: 'contradicted',
      setting: { name: 'list-order', value: 'oldest' },
      evidence: { at: 't2', seen: 'GET /partner/cards is oldest first', exchanges: [SHOWN, SHOWN] },
    },
    { id: 'cors', verdict: 'contradicted', evidence: { at: 't3', seen: 'no CORS', exchanges: [] } },
    { id: 'usage', verdict: 'unknown', evidence: { needs: 'a usage record', exchanges: [] } },
  ],
  summary: { observed: 1, contradicted: 2, unknown: 1, requests: 12 },
  leftovers: ['card card_1 could not be cancelled', 'the webhook configuration could not be restored'],
  failure: null,
};

const decisionOf = (id: string) => ASSUMPTIONS.find(each => each.id === id)?.decision;

test('a profile has the names and settings of the service, and says where the evidence is', () => {
  const text = profileText(CALIBRATION, 'acme.evidence.yaml');
  expect(text).toMatch(
    /^# Written by card-sandbox calibrate; the evidence is in acme\.evidence\.yaml\.\n# card-sandbox start --profile FILE answers as this service does\.\nservice: /,
  );
  expect(parse(text)).toEqual({
    service: CALIBRATION.service,
    observedAt: CALIBRATION.observedAt,
    names: { service: 'acme' },
    assume: { 'list-order': 'oldest' },
  });
  const nameless = parse(profileText({ ...CALIBRATION, names: {}, results: [] }, 'x'));
  expect(nameless).toEqual({ service: CALIBRATION.service, observedAt: CALIBRATION.observedAt, assume: {} });
});

test('the evidence has every verdict with what it rests on, each exchange in full', () => {
  const text = evidenceText(CALIBRATION);
  expect(text).not.toContain('&');
  expect(parse(text)).toEqual({
    service: CALIBRATION.service,
    observedAt: CALIBRATION.observedAt,
    observations: {
      balance: {
        verdict: 'observed',
        at: 't1',
        seen: 'the balance has the assumed fields',
        exchanges: [SHOWN],
      },
      'list-order': {
        verdict: 'contradicted',
        setting: { name: 'list-order', value: 'oldest' },
        at: 't2',
        seen: 'GET /partner/cards is oldest first',
        exchanges: [SHOWN, SHOWN],
      },
      cors: { verdict: 'contradicted', at: 't3', seen: 'no CORS', exchanges: [] },
      usage: { verdict: 'unknown', needs: 'a usage record', exchanges: [] },
    },
  });
});

test('the report begins with what is contradicted, and shows the requests only there', () => {
  expect(markdownReport(CALIBRATION)).toBe(`# Calibration of \`https://service.example.com/'v1'\`

2026-03-15T10:00:00.000Z: 1 observed, 2 contradicted, 1 unknown, 12 requests.

Not cleaned up: card card_1 could not be cancelled.

Not cleaned up: the webhook configuration could not be restored.

## Contradicted

### list-order

The sandbox: ${decisionOf('list-order')}

The service: GET /partner/cards is oldest first.

Setting: \`--assume list-order=oldest\`

\`\`\`
${JSON.stringify(SHOWN)}
${JSON.stringify(SHOWN)}
\`\`\`

### cors

The sandbox: ${decisionOf('cors')}

The service: no CORS.

\`\`\`
\`\`\`

## Observed

### balance

The sandbox: ${decisionOf('balance')}

The service: the balance has the assumed fields.

## Unknown

### usage

The sandbox: ${decisionOf('usage')}

It would take a usage record.
`);
});

test('a report without results has no sections', () => {
  const text = markdownReport({ ...CALIBRATION, results: [], leftovers: [] });
  expect(text).toMatch(/^# Calibration of .*\n\n.* 12 requests\.\n$/);
});

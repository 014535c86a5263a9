import type { EvidenceFile } from '../../../src/tools/evidence/evidence-file.ts';

/** Evidence of a command that used a few operations, and survived one misbehaviour of four. */
export function exampleEvidence(): EvidenceFile {
  const summary = { survived: 1, broke: 1, appliedTwice: 1, accepted: 0, notExercised: 1, durationMs: 900 };
  return {
    cardSandbox: '1.2.3',
    interface: '1.0.0',
    seed: 42,
    profile: null,
    conditions: [
      condition('cards.list 200', 'operation', '4.4', 3),
      condition('cards.list 400', 'refusal', '7.1', 0),
      condition('cards.issue 201', 'operation', '4.3', 0),
      condition('event card.issued', 'event', '6.1', 1),
      { ...condition('idle <hours>', 'other', '6.10', 0), fidelity: 'assumed' },
    ],
    exam: {
      baseline: 'passed',
      results: [
        {
          id: 'webhooks-twice',
          kind: 'benign',
          verdict: 'survived',
          detail: 'as before',
          remarks: ['twice <in a row>'],
        },
        {
          id: 'connection-lost-after.cards.issue',
          kind: 'benign',
          verdict: 'applied-twice',
          detail: 'two cards\n- card_1 & card_2\n- "again"',
          remarks: [],
        },
        { id: 'error-500-before', kind: 'benign', verdict: 'broke', detail: 'exit code 1', remarks: [] },
        { id: 'signature-missing', kind: 'malign', verdict: 'not-exercised', detail: 'none', remarks: [] },
      ],
      causes: [
        {
          title: "The app's retries <b>",
          results: ['connection-lost-after.cards.issue', 'error-500-before'],
          lines: ['at issue() & again', 'at main()'],
        },
        { title: 'Without lines', results: ['error-500-before'], lines: [] },
      ],
      summary,
    },
    environment: {
      command: 'npm test -- --grep "a & b"',
      startedAt: '2026-03-15T10:00:00.000Z',
      durationMs: 12_600,
      node: 'v22.1.0',
      platform: 'linux',
      arch: 'x64',
    },
  };
}

function condition(
  id: string,
  kind: EvidenceFile['conditions'][number]['kind'],
  section: string,
  count: number,
) {
  const firstAt = count > 0 ? '2026-03-15T10:00:01.000Z' : null;
  return { id, kind, section, fidelity: 'documented' as const, count, firstAt };
}

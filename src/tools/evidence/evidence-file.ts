import * as z from 'zod';

const strict = z.strictObject;

const VERDICTS = ['survived', 'broke', 'applied-twice', 'accepted', 'not-exercised'] as const;

const Condition = strict({
  id: z.string(),
  kind: z.enum(['operation', 'refusal', 'event', 'other']),
  section: z.string(),
  fidelity: z.enum(['documented', 'assumed']),
  count: z.int().min(0),
  firstAt: z.string().nullable(),
});

const Exam = strict({
  baseline: z.enum(['passed', 'failed']),
  results: z.array(
    strict({
      // The id is the name of a folder.
      id: z.string().regex(/^[a-z][\w.+#-]*$/i, 'must be the id of a misbehaviour'),
      kind: z.enum(['benign', 'malign']),
      verdict: z.enum(VERDICTS),
      detail: z.string(),
      remarks: z.array(z.string()),
    }),
  ),
  causes: z.array(strict({ title: z.string(), results: z.array(z.string()), lines: z.array(z.string()) })),
  summary: strict({
    survived: z.int(),
    broke: z.int(),
    appliedTwice: z.int(),
    accepted: z.int(),
    notExercised: z.int(),
    durationMs: z.int(),
  }),
});

/** The content of `evidence.json`. */
export const EvidenceFile = strict({
  // The message about another version names a command with it, which must not install anything else.
  cardSandbox: z.string().regex(/^\d+\.\d+\.\d+(?:-[\w.-]+)?$/, 'must be a version of card-sandbox'),
  interface: z.string(),
  seed: z.int(),
  profile: strict({
    names: z.record(z.string(), z.string()),
    assume: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  }).nullable(),
  conditions: z.array(Condition),
  exam: Exam,
  environment: strict({
    command: z.string(),
    startedAt: z.string(),
    durationMs: z.int(),
    node: z.string(),
    platform: z.string(),
    arch: z.string(),
  }),
});

/** The content of `evidence.json`. */
export type EvidenceFile = z.output<typeof EvidenceFile>;

/** Formats the content as the file. */
export function writeEvidence(evidence: EvidenceFile): string {
  return format(evidence);
}

function format(content: unknown): string {
  return `${JSON.stringify(content, null, 2)}\n`;
}

/** Reads the file, which may come from a stranger. Throws an error that names the member that is not as it is written. */
export function readEvidence(text: string): EvidenceFile {
  const content = JSON.parse(text);
  const { data, error } = EvidenceFile.safeParse(content);
  if (data !== undefined) {
    // Of a member that stands in it twice, other readers may take the first value.
    if (format(content) !== text) throw new Error('is not formatted as evidence writes it, each member once');
    return data;
  }
  const [issue] = error.issues;
  const keys = issue?.code === 'unrecognized_keys' ? issue.keys : [];
  const member = [...(issue?.path ?? []), ...keys].map(String).join('.');
  throw new Error(
    `${member}: ${keys.length > 0 ? 'is a member that evidence does not write' : issue?.message}`,
  );
}

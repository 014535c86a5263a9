import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import {
  type ReplayStart,
  replayOf,
  standIn,
  withoutSecrets,
} from '../../../control/history/export/replay.ts';
import { writeScenario } from '../../../control/history/export/scenario.ts';
import { KEY_PREFIX } from '../../../core/access/partners.ts';
import { redactBody, redactText } from '../../../core/redaction/redact.ts';
import { createNameTranslator, type Names } from '../../../core/values/names.ts';
import { builtInNames, readFixture } from '../../../sandbox/fixtures/file/source.ts';
import type { LogEntry, LogLine, LogSend, LogStart } from '../../../sandbox/worlds/world-log.ts';
import { readLines } from '../../../server/in-process/command-notes.ts';
import { json } from '../exec/artifacts.ts';
import type { Bundle, BundleKind, RecordedOutcome } from '../exec/bundle.ts';
import { bundleOptions } from '../exec/bundle-options.ts';

/** The logs of the worlds of a run, the earliest first. */
type Logs = readonly { readonly start: LogStart; readonly lines: readonly LogLine[] }[];

/** What the first member of a state without secrets says. */
const NOTICE = 'A state without API keys, webhook secrets and card numbers: stand-ins take their place.';

/** Writes the history of each world of a run as a folder below `folder`, from the logs that its sandboxes have kept. */
export async function writeBundles(logFolder: string, folder: string): Promise<void> {
  const keys = publishedKeys();
  for (const [index, { start, lines }] of (await readLogs(logFolder)).entries()) {
    const own = join(folder, bundleName(index, start.world));
    await mkdir(own, { recursive: true });
    const files = {
      'start.json': `${JSON.stringify(withStandIns(start, keys), null, 1)}\n`,
      'options.json': json(bundleOptions(start.options)),
      'history.yaml': historyOf(start, lines),
      'deliveries.json': json(deliveriesOf(lines)),
    };
    for (const [name, content] of Object.entries(files)) await writeFile(join(own, name), content);
  }
}

/** The name of the folder of a world's history: its place among those of the run, and the world. */
export function bundleName(index: number, world: string): string {
  return `${index + 1}-${world}`;
}

async function readLogs(folder: string): Promise<Logs> {
  const names = (await readdir(folder)).filter(name => name.endsWith('.jsonl')).toSorted();
  const logs = await Promise.all(
    names.map(async name => {
      // Only sandboxes write the files.
      const [start, ...lines] = readLines(await readFile(join(folder, name), 'utf8')) as LogLine[];
      return start?.kind === 'start' ? [{ start, lines }] : [];
    }),
  );
  return logs.flat().toSorted((a, b) => a.start.startedAt - b.start.startedAt);
}

/** Writes the requests of a world as a scenario, up to the end of its last webhook. */
function historyOf({ world, state, options, origin }: LogStart, lines: readonly LogLine[]): string {
  const entries = lines
    .filter((line): line is LogEntry => line.kind === 'entry')
    .toSorted((a, b) => a.place - b.place);
  const moments = [
    ...entries.map(({ before }) => before.clock.now),
    ...lines.flatMap(line => (line.kind === 'send' ? [line.at] : [])),
  ];
  // A state document that the sandbox has written, and options that it has resolved.
  const { tables } = state as { readonly tables: ReplayStart };
  const names = createNameTranslator((options.names ?? {}) as Names);
  return writeScenario(replayOf(entries, tables, names, origin), world, Math.max(...moments));
}

/** Returns a state with the same records, but with stand-ins for what is secret. */
function withStandIns({ state }: LogStart, published: ReadonlyMap<string, string>): unknown {
  const names = new Map<string, string>();
  const nameOf = (text: string, member: string) => {
    const name = names.get(text) ?? `${member}${names.size + 1}`;
    names.set(text, name);
    return name;
  };
  const document = state as { readonly tables: ReplayStart };
  const owners = new Map(document.tables.apiKeys.map(({ id, partnerId }) => [id, partnerId]));
  const current = new Set(new Map([...owners].map(([key, partnerId]) => [partnerId, key])).values());
  const safe = withoutSecrets(document, {
    key(key) {
      const known = current.has(key) ? published.get(owners.get(key) ?? '') : undefined;
      return known ?? `${KEY_PREFIX}recorded_${nameOf(key, 'apiKey')}`;
    },
    secret: (text, member) => standIn(text, member, nameOf(text, member)),
    literal: redactText,
  });
  return { ...Object(safe), notice: NOTICE };
}

/** The keys in the built-in fixtures, by partner. */
function publishedKeys(): ReadonlyMap<string, string> {
  const texts = builtInNames().map(name => readFixture(name).text);
  const keys = texts.flatMap(text => [...text.matchAll(/- id: (\w+).*\n.*\n.*apiKey: (sk_test_\w+)/g)]);
  return new Map(keys.map(([, partnerId = '', key = '']) => [partnerId, key]));
}

const Deliveries = z.array(
  z.strictObject({
    id: z.string(),
    attempts: z.array(
      z.strictObject({
        status: z.int().nullable(),
        cause: z.string().nullable(),
        body: z.string().nullable(),
      }),
    ),
  }),
);

/** The outcomes of attempts to send webhooks, by the id of their delivery event. */
function deliveriesOf(lines: readonly LogLine[]): z.input<typeof Deliveries> {
  const sends = lines.filter((line): line is LogSend => line.kind === 'send');
  const byId = new Map<string, LogSend[]>();
  for (const send of sends) byId.set(send.id, [...(byId.get(send.id) ?? []), send]);
  return Array.from(byId, ([id, list]) => ({
    id,
    attempts: list
      .toSorted((a, b) => a.place - b.place)
      .map(({ status, cause, body }) => ({
        status,
        cause: cause === null ? null : redactText(cause),
        body: body === null ? null : redactBody(body),
      })),
  }));
}

/** The folders that `evidence` writes. */
export const EVIDENCE_BUNDLES: BundleKind = {
  writer: 'evidence',
  advice: 'evidence writes no such folder',
  readOutcomes: text => {
    const outcomes: [string, readonly RecordedOutcome[]][] = [];
    const { data, error } = Deliveries.safeParse(JSON.parse(text));
    if (data === undefined) {
      const [issue] = error.issues;
      const keys = issue?.code === 'unrecognized_keys' ? issue.keys : [];
      throw new Error(`${[...(issue?.path ?? []), ...keys].join('.')}: ${issue?.message}`);
    }
    for (const { id, attempts } of data) outcomes.push([id, attempts]);
    return new Map(outcomes) satisfies Bundle['outcomes'];
  },
};

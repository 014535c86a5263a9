import type { Host } from '../../kernel/operation/host.ts';
import type { HistoryEntry } from '../history.ts';
import { type Replay, type ReplayStep, replayOf } from './replay.ts';

/** Methods that a step of a scenario can have. */
const METHODS = /^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)$/;
const VERIFY = /^(\/3ds\/[^/]+)\/verify$/;

/** Writes a scenario file that sends the requests of the entries again and expects the same statuses. */
export async function toScenario(entries: readonly HistoryEntry[], host: Host): Promise<string> {
  // Loaded here because few sandboxes export their history.
  const { stringify } = await import('yaml');
  const replay = replayOf(entries);
  const steps = [...keySteps(replay), ...replay.steps.flatMap(stepOf)];
  const file = {
    name: 'A recorded history',
    description: `${entries.length} requests to the world ${host.id}. Play it on a sandbox with the same start.`,
    ...(replay.partnerId !== null && { partner: replay.partnerId }),
    ...(replay.variables.size > 0 && { variables: Object.fromEntries(replay.variables) }),
    steps: steps.length === 0 ? [{ say: 'Nothing has happened' }] : steps,
  };
  return stringify(file, { lineWidth: 120 });
}

/** Reads the keys that other partners have at the start. */
function keySteps({ initialKeys }: Replay): object[] {
  if (initialKeys.size === 0) return [];
  const capture = [...initialKeys].map(([name, index]) => [name, `body.partners[${index}].apiKey`]);
  return [{ say: 'The keys of other partners', control: 'GET /info', capture: Object.fromEntries(capture) }];
}

function stepOf({ entry, summary, call, target, body, key, captures }: ReplayStep): object[] {
  if (call === null || !METHODS.test(call.method)) return [{ say: `${summary} (cannot be repeated)` }];
  const line = `${call.method} ${target}`;
  const members = {
    ...(body !== undefined && { body }),
    ...(captures.size > 0 && { capture: Object.fromEntries(captures) }),
  };
  if (call.plane === 'control') {
    const challenge = VERIFY.exec(target)?.[1];
    if (challenge !== undefined) return verifySteps(entry, summary, challenge, line);
    return [{ say: summary, control: line, ...members }];
  }
  const headers = call.headers;
  return [
    {
      say: summary,
      request: line,
      ...(key === null ? { key: null } : key === 'own' ? {} : { key: `\${${key.variable}}` }),
      ...(Object.keys(headers).length > 0 && { headers }),
      ...members,
      expect: entry.response.drop ? { dropped: true } : { status: entry.response.status },
    },
  ];
}

/** The passcode of a challenge is not part of a history: it is read where the right one was sent. */
function verifySteps(entry: HistoryEntry, summary: string, challenge: string, line: string): object[] {
  const isRight = /"status":"approved"/.test(entry.response.body);
  const read = {
    say: 'The cardholder reads the passcode',
    control: `GET ${challenge}`,
    capture: { otp: 'body.otp' },
  };
  const otp = isRight ? `\${otp}` : '000000';
  return [...(isRight ? [read] : []), { say: summary, control: line, body: { otp } }];
}

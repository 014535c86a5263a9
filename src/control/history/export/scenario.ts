import { stringify } from 'yaml';
import { isoTime } from '../../../core/values/timestamp.ts';
import type { World } from '../../../core/world/world.ts';
import type { HistoryEntry } from '../history.ts';
import { mapValues, type Parts, Reference } from './references.ts';
import { type Replay, type ReplayBody, type ReplayStep, replayOf, startOf } from './replay.ts';

/** Methods that a step of a scenario can have. */
const METHODS = /^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)$/;

/** Writes a scenario file that sends the requests of the entries again and expects the same statuses. */
export function toScenario(entries: readonly HistoryEntry[], world: World): string {
  const { names, origin } = world.state;
  return writeScenario(replayOf(entries, startOf(entries), names, origin()), world.id);
}

/** Writes a replay of a world as a scenario file. `end` is the sandbox time to go to after the last step, in milliseconds. */
export function writeScenario(replay: Replay, world: string, end: number | null = null): string {
  const last = end === null ? [] : [{ say: 'The end', control: 'GET /info', at: isoTime(end) }];
  const steps = [...keySteps(replay), ...replay.steps.flatMap(stepOf), ...last];
  const file = {
    name: 'A recorded history',
    description: `${replay.requests} requests to the world ${world}. Play it on a sandbox with the same start.`,
    recording: true,
    ...(replay.partnerId !== null && { partner: replay.partnerId }),
    ...(replay.variables.size > 0 && {
      variables: Object.fromEntries([...replay.variables].map(([name, value]) => [name, literal(value)])),
    }),
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

function stepOf(step: ReplayStep): object[] {
  const { entry, summary, call, target, body, key, moment, captures, recorded } = step;
  const say = literal(summary);
  if (call === null || !METHODS.test(call.method)) return [{ say: `${say} (cannot be repeated)` }];
  // No client sends a body with these methods.
  const isBodyless = call.method === 'GET' || call.method === 'HEAD';
  const line = `${call.method} ${writeParts(target)}`;
  const members = {
    ...(moment !== null && { at: isoTime(moment) }),
    ...(body !== null && !isBodyless && { body: writeBody(body) }),
    ...(captures.size > 0 && { capture: Object.fromEntries(captures) }),
  };
  if (call.plane === 'control') return [{ say, control: line, ...members }];
  const headers = mapValues(call.headers, value => literal(String(value)));
  return [
    {
      say,
      request: line,
      ...(key === null ? { key: null } : key === 'own' ? {} : { key: writeParts([key]) }),
      ...(Object.keys(call.headers).length > 0 && { headers }),
      ...members,
      expect: entry.response.drop
        ? { dropped: true }
        : { status: entry.response.status, ...(recorded !== null && { recorded: literal(recorded) }) },
    },
  ];
}

/** Escapes what looks like a reference to a variable. */
function literal(text: string): string {
  return text.replace(/\$\{[^}]*\}/g, found => `$${found}`);
}

function writeParts(parts: Parts): string {
  return parts.map(part => (part instanceof Reference ? `\${${part.name}}` : literal(part))).join('');
}

function writeBody(body: ReplayBody): unknown {
  if (body.kind === 'text') return writeParts(body.parts);
  return mapValues(body.value, value =>
    typeof value === 'string' || value instanceof Reference ? writeParts([value]) : value,
  );
}

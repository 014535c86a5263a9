import { NEUTRAL_HEADER } from '../../../core/values/names.ts';
import { CONTROL_PREFIX } from '../../../core/values/plane.ts';
import { quoteForShell } from '../../../core/values/text.ts';
import { isoTime } from '../../../core/values/timestamp.ts';
import type { World } from '../../../core/world/world.ts';
import type { HistoryEntry } from '../history.ts';
import type { ReplayEntry } from './recorded-call.ts';
import { type Parts, parseJson, Reference, textsIn } from './references.ts';
import { type ReplayBody, type ReplayStep, replayOf, startOf } from './replay.ts';

const HEAD = `#!/bin/sh
# Sends the recorded requests again and prints each response. Play it on a sandbox with the same start.
set -eu
: "\${SERVICE_BASE_URL:?is the base URL of the API}"
: "\${SERVICE_API_KEY:?is the API key of the partner}"
: "\${CARD_SANDBOX_URL:?is the address of the sandbox}"
# The value of a member of the last response, by its name and the number of members of that name up to it.
member() {
  printf '%s' "$response" | grep -o "\\"$1\\":\\"[^\\"]*\\"" | sed -n "$2s/^[^:]*:\\"\\(.*\\)\\"$/\\1/p"
}
# Freezes the clock at the moment of a request. With REAL_TIME=1 it runs as it does.
at() {
  [ -n "\${REAL_TIME:-}" ] || curl -sS -o /dev/null -H 'content-type: application/json' \\
    --data-raw "{\\"at\\":\\"$1\\"}" "$CARD_SANDBOX_URL${CONTROL_PREFIX}/clock/freeze"
}
send() { response=$(curl -sS -g --path-as-is "$@" || true); printf '%s\\n' "$response"; }
`;

/** The environment may set a variable of the script, and a client has chosen the rest of its name. */
const shellName = (name: string) => `CARD_SANDBOX_VAR_${name}`;

/** Writes a shell script that sends the requests of the entries again with curl. */
export function toShell(entries: readonly HistoryEntry[], world: World): string {
  const { names, origin } = world.state;
  const { steps, variables, initialKeys } = replayOf(entries, startOf(entries), names, origin());
  const header = names === null ? [] : [`-H '${NEUTRAL_HEADER}: neutral'`];
  const lines = [
    HEAD,
    `# ${entries.length} requests to the world ${world.id}.`,
    ...[...variables].map(([name, value]) => variableLine(shellName(name), value)),
    ...[...initialKeys].map(([name, index]) => keyLine(name, index)),
    '',
    ...steps.flatMap(step => linesOf(step, header)),
  ];
  return `${lines.join('\n')}\n`;
}

function variableLine(name: string, value: string): string {
  return `${name}=\${${name}:-${quoteForShell(value)}}`;
}

/** Reads the key of a partner: the one at an index of those that the sandbox lists. */
function keyLine(name: string, index: number): string {
  const list = `curl -sS "$CARD_SANDBOX_URL${CONTROL_PREFIX}/info" | grep -o '"apiKey":"[^"]*"'`;
  return `${shellName(name)}=$(${list} | sed -n '${index + 1}s/.*:"\\(.*\\)"/\\1/p')`;
}

function linesOf(
  { entry, summary, call, target, body, key, moment, captures }: ReplayStep,
  names: readonly string[],
): string[] {
  const about = `# ${summary.replace(/\s+/g, ' ')}`;
  if (call === null) return [`${about} (cannot be repeated)`];
  const isApi = call.plane === 'partner';
  // The base URL ends with the version segment, which stands for the prefix of the API.
  const base = isApi ? '$SERVICE_BASE_URL' : `$CARD_SANDBOX_URL${CONTROL_PREFIX}`;
  const keyOf = key === null ? null : key === 'own' ? '$SERVICE_API_KEY' : `$${shellName(key.name)}`;
  const hasOwnType = 'content-type' in call.headers;
  const parts = [
    // With -X HEAD curl would wait for a body.
    `send ${call.method === 'HEAD' ? '--head' : `-X ${quoteForShell(call.method)}`} "${base}${inDoubleQuotes(target)}"`,
    ...(keyOf === null ? [] : [`-H "x-service-api-key: ${keyOf}"`]),
    ...(isApi ? names : []),
    ...Object.entries(call.headers).map(([name, value]) => `-H ${quoteForShell(`${name}: ${value}`)}`),
    ...(body === null || hasOwnType ? [] : [`-H 'content-type: application/json'`]),
    ...(body === null ? [] : [`--data-raw "${inDoubleQuotes(partsOf(body))}"`]),
  ];
  const kept = [...captures].map(([name, path]) => `${shellName(name)}=$(member ${placeOf(path, entry)})`);
  const move = moment === null ? [] : [`at ${isoTime(moment)}`];
  return [about, ...move, parts.join(' \\\n  '), ...kept];
}

/** The name of the member at a path of a response, and the number of members of that name up to it. */
function placeOf(path: string, { response }: ReplayEntry): string {
  const name = path.slice(path.lastIndexOf('.') + 1);
  const same = [...textsIn(parseJson(response.body), 'body')].filter(each => each.path.endsWith(`.${name}`));
  const index = same.findIndex(each => each.path === path);
  // What is read from the control plane stands there once, or once in each item of a list.
  const item = Number(/\[(\d+)\]/.exec(path)?.[1] ?? 0);
  return `${name} ${(index === -1 ? item : index) + 1}`;
}

function partsOf(body: ReplayBody): Parts {
  return body.kind === 'text' ? body.parts : [...jsonParts(body.value)];
}

/** Writes a JSON value. The values of references are texts. */
function* jsonParts(value: unknown): Generator<string | Reference> {
  if (value instanceof Reference) yield* ['"', value, '"'];
  else if (typeof value !== 'object' || value === null) yield JSON.stringify(value);
  else {
    const isList = Array.isArray(value);
    let separator = isList ? '[' : '{';
    for (const [name, item] of Object.entries(value)) {
      yield isList ? separator : `${separator}${JSON.stringify(name)}:`;
      yield* jsonParts(item);
      separator = ',';
    }
    if (separator !== ',') yield separator;
    yield isList ? ']' : '}';
  }
}

/** Writes a text for double quotes of a shell. */
function inDoubleQuotes(parts: Parts): string {
  const write = (part: string | Reference) =>
    part instanceof Reference
      ? `\${${shellName(part.name)}}`
      : part.replace(/[\\"$`]/g, found => `\\${found}`);
  return parts.map(write).join('');
}

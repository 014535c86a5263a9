import type { Host } from '../../kernel/operation/host.ts';
import { CONTROL_PREFIX } from '../../kernel/operation/plane.ts';
import type { HistoryEntry } from '../history.ts';
import { type ReplayStep, replayOf } from './replay.ts';

const HEAD = `#!/bin/sh
# Sends the recorded requests again and prints each response. Play it on a sandbox with the same start.
set -eu
: "\${SERVICE_BASE_URL:?is the base URL of the API}"
: "\${SERVICE_API_KEY:?is the API key of the partner}"
: "\${CARD_SANDBOX_URL:?is the address of the sandbox}"
# A value in the last response, by the name of its member.
member() { printf '%s' "$response" | sed -n "s/.*\\"$1\\":\\"\\([^\\"]*\\)\\".*/\\1/p" | head -n 1; }
send() { response=$(curl -sS "$@" || true); printf '%s\\n' "$response"; }
`;

/** Writes a shell script that sends the requests of the entries again with curl. */
export async function toShell(entries: readonly HistoryEntry[], host: Host): Promise<string> {
  const { steps, variables, initialKeys } = replayOf(entries);
  const lines = [
    HEAD,
    `# ${entries.length} requests to the world ${host.id}.`,
    ...[...variables].map(([name, value]) => `${name}=\${${name}:-${quoted(value)}}`),
    ...[...initialKeys].map(([name, index]) => keyLine(name, index)),
    '',
    ...steps.flatMap(linesOf),
  ];
  return `${lines.join('\n')}\n`;
}

/** Reads the key of a partner: the one at an index of those that the sandbox lists. */
function keyLine(name: string, index: number): string {
  const list = `curl -sS "$CARD_SANDBOX_URL${CONTROL_PREFIX}/info" | grep -o '"apiKey":"[^"]*"'`;
  return `${name}=$(${list} | sed -n '${index + 1}s/.*:"\\(.*\\)"/\\1/p')`;
}

function linesOf({ summary, call, target, body, key, captures }: ReplayStep): string[] {
  const about = `# ${summary.replace(/\s+/g, ' ')}`;
  if (call === null) return [`${about} (cannot be repeated)`];
  const isApi = call.plane === 'partner';
  // The base URL ends with the version segment, which stands for the prefix of the API.
  const base = isApi ? '$SERVICE_BASE_URL' : `$CARD_SANDBOX_URL${CONTROL_PREFIX}`;
  const keyOf = key === null ? null : key === 'own' ? '$SERVICE_API_KEY' : `$${key.variable}`;
  const parts = [
    `send -X ${call.method} "${base}${inDoubleQuotes(target)}"`,
    ...(keyOf === null ? [] : [`-H "x-service-api-key: ${keyOf}"`]),
    ...Object.entries(call.headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined || 'content-type' in call.headers ? [] : [`-H 'content-type: application/json'`]),
    ...(body === undefined
      ? []
      : [`--data-raw "${inDoubleQuotes(typeof body === 'string' ? body : JSON.stringify(body))}"`]),
  ];
  const kept = [...captures].map(
    ([name, path]) => `${name}=$(member ${path.split('.').at(-1)?.replace(/\[.*/, '')})`,
  );
  return [about, parts.join(' \\\n  '), ...kept];
}

/** Quotes a text for a shell, without variables. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Escapes a text for double quotes. References to variables stay, an escaped one becomes a literal text. */
function inDoubleQuotes(text: string): string {
  return text.replace(/\$\$\{|\$\{\w+\}|[\\"$`]/g, found => {
    if (found === '$${') return '\\${';
    return found.startsWith('${') ? found : `\\${found}`;
  });
}

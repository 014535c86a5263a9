import { Buffer } from 'node:buffer';
import type { AnyTable } from '../../../core/store/table-definition.ts';
import { isoTime } from '../../../core/values/timestamp.ts';
import { STATE_FORMAT, STATE_NOTICE, STATE_VERSION } from '../../../core/world/state-document.ts';
import type { WorldSnapshot } from '../../../core/world/world-snapshot.ts';

/** A piece is complete once it has this many characters. The last row of a piece can make it longer. */
const PIECE_LENGTH = 32 * 1024;

/** One row per line, so that two states can be compared with diff. */
export function* writeState(
  snapshot: WorldSnapshot,
  tables: Readonly<Record<string, AnyTable>>,
): Generator<Uint8Array> {
  let piece = '';
  for (const text of texts(snapshot, tables)) {
    piece += text;
    if (piece.length < PIECE_LENGTH) continue;
    yield Buffer.from(piece);
    piece = '';
  }
  yield Buffer.from(piece);
}

function* texts(
  { seed, clock, random, secrets, tables: snapshots }: WorldSnapshot,
  tables: Readonly<Record<string, AnyTable>>,
): Generator<string> {
  const { now, frozen, advancedMs } = clock;
  const mode = frozen ? 'frozen' : 'running';
  yield opened({
    notice: STATE_NOTICE,
    format: STATE_FORMAT,
    version: STATE_VERSION,
    seed,
    clock: { now: isoTime(now), mode, advancedMs, timers: [] },
  }).slice(0, -']}'.length);
  let separator = '';
  for (const { at, value } of clock.timers) {
    const { kind, ref } = value;
    yield `${separator}${JSON.stringify({ kind, ref, at: isoTime(at) })}`;
    separator = ',';
  }
  const counts = Object.fromEntries(
    Object.entries(tables).map(([name, table]) => [name, snapshots.get(table)?.size ?? 0]),
  );
  yield `]},${opened({ random: Object.fromEntries(random), ...(secrets !== null && { secrets: { key: secrets.key, drawn: secrets.drawn } }), counts }).slice(1)},"tables":{`;
  separator = '';
  for (const [name, table] of Object.entries(tables)) {
    yield `${separator}\n  ${JSON.stringify(name)}: [`;
    separator = '';
    for (const row of snapshots.get(table)?.values() ?? []) {
      yield `${separator}\n    ${JSON.stringify(row)}`;
      separator = ',';
    }
    yield separator === '' ? ']' : '\n  ]';
    separator = ',';
  }
  yield '\n}}\n';
}

/** The JSON of an object without its closing brace. */
function opened(members: object): string {
  return JSON.stringify(members).slice(0, -1);
}

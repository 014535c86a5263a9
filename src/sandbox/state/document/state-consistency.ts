import { partners } from '../../../core/access/partners.ts';
import type { WorldState } from '../../../core/world/world-state.ts';
import { quoted, rowPlace } from './state-error.ts';
import type { StateRules } from './state-rules.ts';
import type { ReadDocument } from './state-shape.ts';

/** Yields for each row of a loaded world the rules that it breaks, and then null. Every row must belong to a partner. */
export function* brokenRowRules(
  state: WorldState,
  { tables, rowRules }: StateRules,
): Generator<string | null> {
  if (state.table(partners).size === 0) {
    yield 'tables.partners: a world needs at least one partner';
    return;
  }
  for (const [name, definition] of Object.entries(tables)) {
    const checks = rowRules.filter(({ table }) => table === definition).map(rule => rule.begin(state));
    let index = 0;
    for (const row of state.anyTable(definition).all()) {
      const place = () => rowPlace(name, index, row);
      if (state.table(partners).get(row.partnerId) === undefined) {
        yield `${place()}: partnerId: there is no partner ${quoted(row.partnerId)}`;
      } else {
        for (const check of checks) {
          const broken = check(row);
          if (broken !== null) yield `${place()}: ${broken}`;
        }
        yield null;
      }
      index += 1;
    }
  }
}

/** Yields for each timer of a document a problem if no row waits for it, or null. */
export function* unneededTimers(
  state: WorldState,
  { clock }: ReadDocument,
  { timers }: StateRules,
): Generator<string | null> {
  for (const [index, { kind, ref }] of clock.timers.entries()) {
    const rule = timers[kind];
    if (rule === undefined) continue;
    const place = `clock.timers[${index}]: ref: `;
    const row = state.anyTable(rule.table).get(ref);
    if (row === undefined) yield `${place}there is no ${rule.table.kind} ${quoted(ref)}`;
    else if (rule.waits(row, state)) yield null;
    else yield `${place}${rule.table.kind} ${quoted(ref)} does not wait for ${kind}; remove the timer`;
  }
}

/** Yields for each row of a loaded world a problem if it waits for a timer that the document lacks, or null. */
export function* missingTimers(
  state: WorldState,
  { clock }: ReadDocument,
  { tables, timers }: StateRules,
): Generator<string | null> {
  for (const [kind, rule] of Object.entries(timers)) {
    const refs = new Set<string>();
    for (const timer of clock.timers) {
      if (timer.kind === kind) refs.add(timer.ref);
      yield null;
    }
    const name = Object.keys(tables).find(each => tables[each] === rule.table) ?? rule.table.kind;
    let index = 0;
    for (const row of state.anyTable(rule.table).all()) {
      if (refs.has(row.id) || !rule.waits(row, state)) {
        yield null;
      } else {
        const timer = `{"kind": ${JSON.stringify(kind)}, "ref": ${quoted(row.id)}, "at": …}`;
        yield `${rowPlace(name, index, row)}: waits for a timer that clock.timers lacks; add ${timer}`;
      }
      index += 1;
    }
  }
}

import { partners } from '../access/partners.ts';
import type { RowRule } from '../store/row-rule.ts';
import type { AnyTable } from '../store/table-definition.ts';
import type { TimerRule } from '../time/timer-rule.ts';
import type { StateDocument } from './state-document.ts';
import { quoted, rowPlace } from './state-error.ts';
import type { World } from './world.ts';

type Tables = Readonly<Record<string, AnyTable>>;
type Timers = Readonly<Record<string, TimerRule>>;

/** Yields the row rules that the rows of a loaded world break. Every row must belong to a partner. */
export function* brokenRowRules(
  world: World,
  tables: Tables,
  rowRules: readonly RowRule[],
): Generator<string> {
  if (world.table(partners).size === 0) {
    yield 'tables.partners: a world needs at least one partner';
    return;
  }
  for (const [name, definition] of Object.entries(tables)) {
    const checks = rowRules.filter(({ table }) => table === definition).map(rule => rule.begin(world));
    let index = 0;
    for (const row of world.anyTable(definition).all()) {
      const place = () => rowPlace(name, index, row);
      if (world.table(partners).get(row.partnerId) === undefined) {
        yield `${place()}: partnerId: there is no partner ${quoted(row.partnerId)}`;
      } else {
        for (const check of checks) {
          const broken = check(row);
          if (broken !== null) yield `${place()}: ${broken}`;
        }
      }
      index += 1;
    }
  }
}

/** Yields the timers of a document for which no row waits. */
export function* unneededTimers(world: World, { clock }: StateDocument, timers: Timers): Generator<string> {
  for (const [index, { kind, ref }] of clock.timers.entries()) {
    const rule = timers[kind];
    if (rule === undefined) continue;
    const place = `clock.timers[${index}]: ref: `;
    const row = world.anyTable(rule.table).get(ref);
    if (row === undefined) yield `${place}there is no ${rule.table.kind} ${quoted(ref)}`;
    else if (!rule.waits(row, world)) {
      yield `${place}${rule.table.kind} ${quoted(ref)} does not wait for ${kind}; remove the timer`;
    }
  }
}

/** Yields the rows of a loaded world that wait for a timer which the document lacks. */
export function* missingTimers(
  world: World,
  { clock }: StateDocument,
  tables: Tables,
  timers: Timers,
): Generator<string> {
  for (const [kind, rule] of Object.entries(timers)) {
    const refs = new Set(clock.timers.filter(timer => timer.kind === kind).map(({ ref }) => ref));
    const name = Object.keys(tables).find(each => tables[each] === rule.table) ?? rule.table.kind;
    let index = 0;
    for (const row of world.anyTable(rule.table).all()) {
      if (!refs.has(row.id) && rule.waits(row, world)) {
        const timer = `{"kind": ${JSON.stringify(kind)}, "ref": ${quoted(row.id)}, "at": …}`;
        yield `${rowPlace(name, index, row)}: waits for a timer that clock.timers lacks; add ${timer}`;
      }
      index += 1;
    }
  }
}

import { partners } from '../access/partners.ts';
import type { RowRule } from '../store/row-rule.ts';
import type { AnyTable } from '../store/table-definition.ts';
import type { TimerRule } from '../time/timer-rule.ts';
import type { StateDocument } from './state-document.ts';
import { quoted, rowPlace } from './state-error.ts';
import type { World } from './world.ts';

type Tables = Readonly<Record<string, AnyTable>>;
type Timers = Readonly<Record<string, TimerRule>>;

/** Returns the row rules that the rows of a loaded world break. Every row must belong to a partner. */
export function brokenRowRules(world: World, tables: Tables, rowRules: readonly RowRule[]): string[] {
  if (world.table(partners).size === 0) return ['tables.partners: a world needs at least one partner'];
  return Object.entries(tables).flatMap(([name, definition]) => {
    const checks = rowRules.filter(({ table }) => table === definition).map(rule => rule.begin(world));
    return [...world.anyTable(definition).all()].flatMap((row, index) => {
      const place = rowPlace(name, index, row);
      if (world.table(partners).get(row.partnerId) === undefined) {
        return [`${place}: partnerId: there is no partner ${quoted(row.partnerId)}`];
      }
      return checks.flatMap(check => {
        const broken = check(row);
        return broken === null ? [] : [`${place}: ${broken}`];
      });
    });
  });
}

/** Returns the timers of a document for which no row waits. */
export function unneededTimers(world: World, { clock }: StateDocument, timers: Timers): string[] {
  return clock.timers.flatMap(({ kind, ref }, index) => {
    const rule = timers[kind];
    if (rule === undefined) return [];
    const place = `clock.timers[${index}]: ref: `;
    const row = world.anyTable(rule.table).get(ref);
    if (row === undefined) return [`${place}there is no ${rule.table.kind} ${quoted(ref)}`];
    if (rule.waits(row, world)) return [];
    return [`${place}${rule.table.kind} ${quoted(ref)} does not wait for ${kind}; remove the timer`];
  });
}

/** Returns the rows of a loaded world that wait for a timer which the document lacks. */
export function missingTimers(
  world: World,
  { clock }: StateDocument,
  tables: Tables,
  timers: Timers,
): string[] {
  return Object.entries(timers).flatMap(([kind, rule]) => {
    const refs = new Set(clock.timers.filter(timer => timer.kind === kind).map(({ ref }) => ref));
    const name = Object.keys(tables).find(each => tables[each] === rule.table) ?? rule.table.kind;
    return [...world.anyTable(rule.table).all()].flatMap((row, index) => {
      if (refs.has(row.id) || !rule.waits(row, world)) return [];
      const timer = `{"kind": ${JSON.stringify(kind)}, "ref": ${quoted(row.id)}, "at": …}`;
      return [`${rowPlace(name, index, row)}: waits for a timer that clock.timers lacks; add ${timer}`];
    });
  });
}

export type DoubledKind = 'cardholder' | 'card' | 'KYC session';

export interface CreatedRecord {
  readonly kind: DoubledKind;
  readonly id: string;
  /** Id of the request in the journal. */
  readonly call: string;
  /** Id of the misbehaviour that failed or delayed that request; null for none. */
  readonly by: string | null;
  /** The sandbox, and its state between two resets. Records of different scopes have nothing to do with each other. */
  readonly scope: string;
  /** Id of the record that it belongs to: the cardholder of a card, or the partner. */
  readonly owner: string;
  /** The name of that record in reports, the same in each run unless the app draws it at random. */
  readonly ownerName: string;
  /** What a repeated request would say again. Ids that are unique to one record are not in it. */
  readonly content: Readonly<Record<string, unknown>>;
  /** What is left of the content when values that an app may draw at random are taken out. */
  readonly shape: string;
  readonly isUndone: boolean;
}

/** Two records that one would have been enough for, and the requests that created them. */
export interface Double {
  readonly kind: DoubledKind;
  readonly ownerName: string;
  readonly calls: readonly [string, string];
  readonly records: readonly [string, string];
  /** Id of the misbehaviour that failed or delayed the first of the requests; null for none. */
  readonly by: string | null;
}

/** A difference in words that changes no verdict, with the misbehaviour that it is due to; null when that is unknown. */
export interface Remark {
  readonly text: string;
  readonly by: string | null;
}

export interface Comparison {
  readonly doubles: readonly Double[];
  readonly remarks: readonly Remark[];
}

interface Group {
  readonly kind: DoubledKind;
  readonly name: string;
  readonly shape: string;
  readonly records: readonly CreatedRecord[];
}

export const KINDS: readonly DoubledKind[] = ['cardholder', 'card', 'KYC session'];

/**
 * Compares what a disturbed run created with what the undisturbed one did. Compares numbers, not records: how many
 * groups have two records, three, and so on. Ids, times and the order of the requests do not matter. Groups are
 * matched by name, and those whose names only one of the runs has, by shape.
 */
export function compareRuns(
  undisturbed: readonly CreatedRecord[],
  disturbed: readonly CreatedRecord[],
): Comparison {
  const doubles: Double[] = [];
  const remarks: Remark[] = [];
  for (const kind of KINDS) {
    const ofKind = (records: readonly CreatedRecord[]) => records.filter(record => record.kind === kind);
    const [before, after] = [ofKind(undisturbed), ofKind(disturbed)];
    const compared = compareGroups(groupsOf(before), groupsOf(after));
    doubles.push(...compared.doubles);
    remarks.push(...compared.remarks);
    const isExplained = compared.doubles.length + compared.remarks.length > 0;
    if (!isExplained && after.length > before.length) {
      remarks.push({ text: countCreated(kind, after.length, before.length), by: null });
    }
  }
  return { doubles, remarks };
}

function groupsOf(records: readonly CreatedRecord[]): Group[] {
  const groups = groupBy(records, ({ scope, owner, content }) => JSON.stringify([scope, owner, content]));
  return [...groups.values()].flatMap(group => {
    const [first] = group;
    if (first === undefined) return [];
    const { kind, ownerName, content, shape } = first;
    return [{ kind, name: JSON.stringify([ownerName, content]), shape, records: group }];
  });
}

function compareGroups(before: readonly Group[], after: readonly Group[]): Comparison {
  const doubles: Double[] = [];
  const remarks: Remark[] = [];
  const names = new Set(before.map(({ name }) => name));
  const common = new Set(after.map(({ name }) => name).filter(name => names.has(name)));
  const classOf = ({ name, shape }: Group) => (common.has(name) ? name : shape);
  const earlier = groupBy(before, classOf);
  for (const [key, groups] of groupBy(after, classOf)) {
    const others = earlier.get(key) ?? [];
    const found = largerGroups(others, groups);
    // Where the undisturbed run cancelled all that it created, the tests clean up, and the end says nothing about the app.
    const hasCleanUp = others.length > 0 && others.every(group => liveRecords(group).length === 0);
    const isUndone = !hasCleanUp && excess(others, groups, liveRecords, 1).groups === 0;
    for (const group of found) {
      const double = doubleOf(group);
      const note =
        group.kind === 'KYC session' ? 'nobody can look a session up' : 'one was cancelled by the end';
      if (group.kind === 'KYC session' || isUndone)
        remarks.push({ text: `${describe(double)}; ${note}`, by: double.by });
      else doubles.push(double);
    }
  }
  return { doubles, remarks };
}

/** The groups that have more records than in the undisturbed run. Those of an affected request come first. */
function largerGroups(before: readonly Group[], after: readonly Group[]): readonly Group[] {
  const { groups, size } = excess(before, after, ({ records }) => records, 2);
  return after
    .filter(({ kind, records }) => records.length >= size && (kind !== 'cardholder' || records.some(isLost)))
    .toSorted((a, b) => Number(b.records.some(isLost)) - Number(a.records.some(isLost)))
    .slice(0, groups);
}

/**
 * How many groups have a size, at least `least`, that fewer of the undisturbed run have, and the smallest such size.
 * Groups that the undisturbed run does not have at all are no excess: a test that is run again has a user of its own.
 */
function excess(
  before: readonly Group[],
  after: readonly Group[],
  recordsOf: (group: Group) => readonly CreatedRecord[],
  least: number,
): { readonly groups: number; readonly size: number } {
  const added = Math.max(0, after.length - before.length);
  const reaching = (groups: readonly Group[], size: number) =>
    groups.filter(group => recordsOf(group).length >= size).length;
  for (let size = least; reaching(after, size) > 0; size += 1) {
    const groups = reaching(after, size) - reaching(before, size) - added;
    if (groups > 0) return { groups, size };
  }
  return { groups: 0, size: 0 };
}

function isLost({ by }: CreatedRecord): boolean {
  return by !== null;
}

function liveRecords({ records }: Group): readonly CreatedRecord[] {
  return records.filter(({ isUndone }) => !isUndone);
}

/** The affected request and the next one of a group with two records or more; without an affected one, the first two. */
function doubleOf(group: Group): Double {
  const live = liveRecords(group);
  const records = live.length > 1 ? live : group.records;
  const first = Math.max(0, records.slice(0, -1).findIndex(isLost));
  const pair = records.slice(first, first + 2);
  const [a, b] = pair;
  if (a === undefined || b === undefined) throw new Error('a group of a double has two records');
  const { kind } = group;
  return { kind, ownerName: a.ownerName, calls: [a.call, b.call], records: [a.id, b.id], by: a.by };
}

export function describe({ kind, ownerName, calls, records }: Double): string {
  return `2 ${kind}s of ${ownerName}: ${calls[0]} created ${records[0]}, and ${calls[1]} created ${records[1]}`;
}

/** Says how many records of a kind there are, and how many there were in the undisturbed run. */
export function countCreated(kind: DoubledKind, number: number, undisturbed: number): string {
  return `${number} ${kind}${number === 1 ? ' was' : 's were'} created, ${undisturbed} in the undisturbed run`;
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

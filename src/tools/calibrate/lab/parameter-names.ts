/** What services call the filters that the interface does not name, in camel case. */
const WORDS = {
  status: 'status state cardStatus cardState byStatus filterStatus statusFilter lifecycleStatus',
  cardholder: 'cardholderId cardholder holderId cardHolderId ownerId userId customerId',
  from: 'from since after start begin gte min startDate startTime startAt startsAt fromDate fromTime fromTimestamp startTimestamp dateFrom timeFrom createdFrom createdAfter createdSince createdAtFrom createdAtAfter createdAtStart createdAtGte createdGte createdAtMin minCreatedAt minDate periodStart rangeStart beginDate beginTime beginAt dateStart timeStart usageFrom usageStart occurredFrom occurredAfter recordedFrom recordedAfter',
  to: 'to until before end lte max endDate endTime endAt endsAt toDate toTime toTimestamp endTimestamp dateTo timeTo createdTo createdBefore createdUntil createdAtTo createdAtBefore createdAtEnd createdAtLte createdLte createdAtMax maxCreatedAt maxDate periodEnd rangeEnd untilDate untilTime dateEnd timeEnd usageTo usageEnd occurredTo occurredBefore recordedTo recordedBefore',
  period:
    'billingPeriod period month billingMonth yearMonth invoicePeriod invoiceMonth billing periodMonth billingCycle cycle usagePeriod usageMonth',
  type: 'type usageType kind recordType eventType category usageKind usageCategory recordKind types filterType typeFilter',
} as const;

/** The members that some services write in brackets or after a dot. */
const NESTED: Partial<Record<keyof typeof WORDS, readonly string[]>> = {
  from: ['created', 'createdAt', 'created_at'].flatMap(name => comparisons(name, ['gte', 'from', 'after'])),
  to: ['created', 'createdAt', 'created_at'].flatMap(name => comparisons(name, ['lte', 'to', 'before'])),
};

/** A filter that the interface does not name. */
export type Filter = keyof typeof WORDS;

/** Returns what the parameter of a filter may be called, the names of the sandbox first. */
export function parameterNames(filter: Filter, more: readonly string[] = []): readonly string[] {
  const words = WORDS[filter].split(' ');
  const cases = [words, words.map(name => separated(name, '_')), words.map(name => separated(name, '-'))];
  const filters = words.map(name => `filter[${name}]`);
  return [...new Set([...cases.flat(), ...(NESTED[filter] ?? []), ...filters, ...more])];
}

function comparisons(name: string, operators: readonly string[]): readonly string[] {
  return operators.flatMap(operator => [
    `${name}[${operator}]`,
    `${name}.${operator}`,
    `${name}__${operator}`,
  ]);
}

function separated(name: string, separator: string): string {
  return name.replace(/[A-Z]/g, letter => separator + letter.toLowerCase());
}

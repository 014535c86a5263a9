const UNKNOWN_FIELDS = {
  futureText: 'not described by this version of the interface',
  futureNumber: 1.5,
  futureFlag: true,
  futureNull: null,
  futureList: [{ futureText: 'café' }],
} as const;

/** Returns a JSON value in which every object has additional, unknown fields. They come last. */
export function withUnknownFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withUnknownFields);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, field]) => [name, withUnknownFields(field)]);
  return { ...Object.fromEntries(fields), ...UNKNOWN_FIELDS };
}

const UNKNOWN_STATUS = 'future_status';

/** Returns a JSON value in which the statuses of the record with an id are unknown ones. */
export function withUnknownStatus(value: unknown, id: string): unknown {
  if (Array.isArray(value)) return value.map(each => withUnknownStatus(each, id));
  if (typeof value !== 'object' || value === null) return value;
  const members = new Map(Object.entries(value));
  for (const [name, member] of members) {
    const isStatus = members.get('id') === id && (name === 'status' || name === 'kycStatus');
    members.set(name, isStatus ? UNKNOWN_STATUS : withUnknownStatus(member, id));
  }
  return Object.fromEntries(members);
}

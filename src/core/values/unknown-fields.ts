/** Fields that no interface describes, of every JSON type. */
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

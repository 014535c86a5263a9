import { assumed, badRequest } from '../../core/operation/errors.ts';
import { isObject } from '../../core/request/input.ts';

/** Cap on the records that the fixtures of one request generate. Those of a start have a higher one for each record. */
const MAX_GENERATED = 100_000;

/**
 * Throws a 400 when the fixtures of a request generate too many records together. What is not a fixture is for its reader
 * to refuse.
 */
export function checkGenerated(fixtures: readonly unknown[]): void {
  let sum = 0;
  for (const [index, fixture] of fixtures.entries()) {
    for (const [kind, records] of Object.entries(isObject(fixture) ? fixture : {})) {
      for (const [position, record] of (Array.isArray(records) ? records : []).entries()) {
        sum += generatedBy(record);
        if (sum > MAX_GENERATED) throw tooMany(`body.fixtures[${index}].${kind}[${position}]`, record, sum);
      }
    }
  }
}

function tooMany(place: string, record: unknown, sum: number): Error {
  const member = isObject(record) && record.generate !== undefined ? '.generate' : '';
  return badRequest(
    assumed('worlds'),
    `${place}${member}: brings the generated records to ${sum}; a request may generate at most ${MAX_GENERATED}; start the sandbox with a fixture file (--fixtures), or send a state document to PUT /_sandbox/worlds/{world}/state`,
  );
}

/** The records that a record of a fixture makes through `generate`, itself included. */
function generatedBy(record: unknown): number {
  if (!isObject(record)) return 0;
  if (record.generate !== undefined) return countOf(record);
  return nestedIn(record).reduce<number>((sum, nested) => sum + generatedBy(nested), 0);
}

/** The records that a record stands for, with its cards and transactions. */
function countOf(record: unknown): number {
  if (!isObject(record)) return 1;
  const { generate } = record;
  const copies = typeof generate === 'number' && generate > 0 ? generate : 1;
  return copies * nestedIn(record).reduce<number>((sum, nested) => sum + countOf(nested), 1);
}

function nestedIn({ card, transactions }: Readonly<Record<string, unknown>>): unknown[] {
  return [...(card === undefined ? [] : [card]), ...(Array.isArray(transactions) ? transactions : [])];
}

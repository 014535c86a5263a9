import { passesLuhn } from '../../core/redaction/card-numbers.ts';
import type { World } from '../../core/world/world.ts';
import type { ProgramRow } from '../programs/records.ts';
import { type VaultRow, vault } from './records.ts';

/** Ranges that no bank issues from, so that a generated number is never a real card. */
const TEST_RANGES = { visa: '424242', mastercard: '555555' } as const;
const NUMBER_LENGTH = 16;
const YEARS_VALID = 4;

/** Generates the number, CVV and expiry of a card, and stores them in the vault. Numbers are unique. */
export function createVaultEntry(
  world: World,
  brand: ProgramRow['brand'],
  members: { readonly id: string; readonly partnerId: string; readonly expiry?: string | undefined },
): VaultRow {
  const table = world.table(vault);
  let number = generateNumber(world, brand);
  while (table.find('number', number) !== undefined) number = generateNumber(world, brand);
  return table.insert({
    id: members.id,
    partnerId: members.partnerId,
    number,
    cvv: world.random.stream('cvv').digits(3),
    expiry: members.expiry ?? defaultExpiry(world),
  });
}

/** Returns a number of a test range with a valid Luhn check digit. */
function generateNumber(world: World, brand: ProgramRow['brand']): string {
  const range = TEST_RANGES[brand];
  const account = range + world.random.stream('card-number').digits(NUMBER_LENGTH - 1 - range.length);
  const check = [...'0123456789'].find(digit => passesLuhn(account + digit));
  return account + check;
}

function defaultExpiry(world: World): string {
  const date = new Date(world.clock.now());
  date.setUTCFullYear(date.getUTCFullYear() + YEARS_VALID, date.getUTCMonth(), 1);
  return date.toISOString().slice(0, 7);
}

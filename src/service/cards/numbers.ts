import { passesLuhn } from '../../core/redaction/card-numbers.ts';
import type { WorldState } from '../../core/world/world-state.ts';
import type { ProgramRow } from '../programs/records.ts';
import { type VaultRow, vault } from './records.ts';

/** Ranges that no bank issues from, so that a generated number is never a real card. */
const TEST_RANGES = { visa: '424242', mastercard: '555555' } as const;
const NUMBER_LENGTH = 16;
const YEARS_VALID = 4;

/** Generates the number, CVV and expiry of a card, and stores them in the vault. Numbers are unique. */
export function createVaultEntry(
  state: WorldState,
  brand: ProgramRow['brand'],
  members: { readonly id: string; readonly partnerId: string; readonly expiry?: string | undefined },
): VaultRow {
  const table = state.table(vault);
  let number = generateNumber(state, brand);
  while (table.find('number', number) !== undefined) number = generateNumber(state, brand);
  return table.insert({
    id: members.id,
    partnerId: members.partnerId,
    number,
    cvv: state.random.stream('cvv').digits(3),
    expiry: members.expiry ?? defaultExpiry(state),
  });
}

/** Returns a number of a test range with a valid Luhn check digit. */
function generateNumber(state: WorldState, brand: ProgramRow['brand']): string {
  const range = TEST_RANGES[brand];
  const account = range + state.random.stream('card-number').digits(NUMBER_LENGTH - 1 - range.length);
  const check = [...'0123456789'].find(digit => passesLuhn(account + digit));
  return account + check;
}

function defaultExpiry(state: WorldState): string {
  const date = new Date(state.clock.now());
  date.setUTCFullYear(date.getUTCFullYear() + YEARS_VALID, date.getUTCMonth(), 1);
  return date.toISOString().slice(0, 7);
}

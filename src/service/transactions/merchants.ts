import type * as z from 'zod';
import type { WorldState } from '../../core/world/world-state.ts';
import type { Merchant, PartialMerchant, TRANSACTION_TYPES } from './schema.ts';

const SAMPLE_MERCHANTS = {
  sale: [
    { name: 'Corner Grocery', mcc: '5411', city: 'Berlin', country: 'DE' },
    { name: 'Blue Door Cafe', mcc: '5814', city: 'Lisbon', country: 'PT' },
    { name: 'Northline Railway', mcc: '4112', city: 'Vienna', country: 'AT' },
    { name: 'Paper and Pen', mcc: '5943', city: 'Dublin', country: 'IE' },
    { name: 'Harbour Pharmacy', mcc: '5912', city: 'Tallinn', country: 'EE' },
    { name: 'Hill Street Books', mcc: '5942', city: 'Lyon', country: 'FR' },
  ],
  cash: [
    { name: 'Main Square ATM', mcc: '6011', city: 'Berlin', country: 'DE' },
    { name: 'Central Station ATM', mcc: '6011', city: 'Madrid', country: 'ES' },
  ],
} as const;

/** Completes a merchant; what is left out comes from a sample merchant of the right kind. */
export function merchantFor(
  state: WorldState,
  type: (typeof TRANSACTION_TYPES)[number],
  members: z.output<typeof PartialMerchant> = {},
): z.output<typeof Merchant> {
  const samples = SAMPLE_MERCHANTS[type];
  const sample = samples[state.random.stream('merchant').next() % samples.length] ?? samples[0];
  const { name, mcc, city, country } = { ...sample, ...members };
  return { name, mcc, city, country };
}

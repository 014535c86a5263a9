import * as z from 'zod';

/** Merchants by the name of their preset. */
const PRESETS = {
  grocery: { name: 'Green Basket Market', mcc: '5411', city: 'Berlin', country: 'DE' },
  fuel: { name: 'Ring Road Fuel', mcc: '5542', city: 'Munich', country: 'DE' },
  restaurant: { name: 'Olive Tree Restaurant', mcc: '5812', city: 'Rome', country: 'IT' },
  hotel: { name: 'Lakeside Hotel', mcc: '7011', city: 'Zurich', country: 'CH' },
  atm: { name: 'Old Town ATM', mcc: '6011', city: 'Madrid', country: 'ES' },
  transit: { name: 'Metro Lines', mcc: '4111', city: 'Paris', country: 'FR' },
  online: { name: 'Parcel Lane Online', mcc: '5964', city: 'Amsterdam', country: 'NL' },
  subscription: { name: 'Evening Stream', mcc: '5968', city: 'Stockholm', country: 'SE' },
  airline: { name: 'Blue Coast Airlines', mcc: '4511', city: 'Lisbon', country: 'PT' },
  casino: { name: 'Golden Wheel Casino', mcc: '7995', city: 'Valletta', country: 'MT' },
} as const;

// Object.keys does not keep the type of the keys.
/** Names of the merchant presets. */
export const MERCHANT_PRESETS = Object.keys(PRESETS) as readonly (keyof typeof PRESETS)[];

/** The name of a preset, read as its merchant. */
const MerchantPreset = z.enum(MERCHANT_PRESETS).transform(name => PRESETS[name]);

/** A merchant of this shape, or the name of a preset, which is read as its merchant. */
export function merchantOr<Shape extends z.ZodType>(merchant: Shape) {
  const error = `must be a merchant, or the name of a preset: ${MERCHANT_PRESETS.join(', ')}`;
  return z.union([MerchantPreset, merchant], { error });
}

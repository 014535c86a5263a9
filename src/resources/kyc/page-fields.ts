import type { Identity } from './identity.ts';

/** A field of the hosted page's form. */
export interface Field {
  readonly name: keyof Identity;
  readonly label: string;
  readonly autocomplete: string;
  readonly hint?: string;
  readonly isNeeded?: boolean;
  /** Whether two such fields stand side by side where there is room. */
  readonly isHalf?: boolean;
}

/** The fields of the hosted page's form, in the order in which they are asked for. */
export const FIELDS: readonly Field[] = [
  { name: 'firstName', label: 'First name', autocomplete: 'given-name', isNeeded: true, isHalf: true },
  { name: 'lastName', label: 'Last name', autocomplete: 'family-name', isNeeded: true, isHalf: true },
  { name: 'residenceAddressDetail', label: 'Street and number', autocomplete: 'street-address' },
  { name: 'postalCode', label: 'Postal code', autocomplete: 'postal-code', isHalf: true },
  { name: 'residenceCity', label: 'City', autocomplete: 'address-level2', isHalf: true },
  {
    name: 'residenceStateProvince',
    label: 'State or province',
    autocomplete: 'address-level1',
    isHalf: true,
  },
  {
    name: 'residenceCountryCode',
    label: 'Country code',
    autocomplete: 'country',
    hint: 'Two letters, such as DE or US',
    isHalf: true,
  },
];

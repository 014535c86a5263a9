import type { Identity } from './identity.ts';

/** A field of the hosted page's form. */
export interface FormField {
  readonly name: keyof Identity;
  readonly label: string;
  readonly autocomplete: string;
  readonly hint?: string;
  readonly isRequired?: boolean;
  /** Whether two such fields share a line on a wide screen. */
  readonly isHalfWidth?: boolean;
}

/** The fields of the hosted page's form, in order. */
export const FORM_FIELDS: readonly FormField[] = [
  { name: 'firstName', label: 'First name', autocomplete: 'given-name', isRequired: true, isHalfWidth: true },
  { name: 'lastName', label: 'Last name', autocomplete: 'family-name', isRequired: true, isHalfWidth: true },
  { name: 'residenceAddressDetail', label: 'Street and number', autocomplete: 'street-address' },
  { name: 'postalCode', label: 'Postal code', autocomplete: 'postal-code', isHalfWidth: true },
  { name: 'residenceCity', label: 'City', autocomplete: 'address-level2', isHalfWidth: true },
  {
    name: 'residenceStateProvince',
    label: 'State or province',
    autocomplete: 'address-level1',
    isHalfWidth: true,
  },
  {
    name: 'residenceCountryCode',
    label: 'Country code',
    autocomplete: 'country',
    hint: 'Two letters, such as DE or US',
    isHalfWidth: true,
  },
];

import * as z from 'zod';
import { hashText, RandomStream } from '../../core/values/random.ts';
import type { PersonName } from '../../core/world/world-state.ts';
import names from './names.json' with { type: 'json' };

/** The ISO 3166-1 alpha-2 codes. */
const COUNTRY_CODES = new Set(
  (
    'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ ' +
    'CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR ' +
    'GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP ' +
    'KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ ' +
    'NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW ' +
    'SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ ' +
    'UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW'
  ).split(' '),
);

/** The five address fields of interface section 4.1, all optional. */
export const addressFields = {
  residenceCountryCode: z
    .string()
    .refine(
      code => COUNTRY_CODES.has(code),
      'must be a two-letter country code (ISO 3166-1) in capitals, such as DE',
    )
    .meta({ pattern: '^[A-Z]{2}$', minLength: 2, maxLength: 2 })
    .exactOptional(),
  residenceStateProvince: z.string().exactOptional(),
  residenceCity: z.string().exactOptional(),
  residenceAddressDetail: z.string().exactOptional(),
  postalCode: z.string().exactOptional(),
} as const;

/** What a KYC source knows about a person. */
export const Identity = z.object({
  firstName: z.string().min(1),
  lastName: z.string().min(1),
  ...addressFields,
});

export type Identity = z.output<typeof Identity>;

/** Any part of an identity; what is left out is generated. */
export const PartialIdentity = z.object({
  firstName: z.string().min(1).exactOptional(),
  lastName: z.string().min(1).exactOptional(),
  ...addressFields,
});

export type Address = Omit<Identity, 'firstName' | 'lastName'>;

const MAX_HOUSE_NUMBER = 999;

/**
 * Generates a person, always the same for the same text, with one of `people` as the name if there are any. The names are copied from the locale `en` of @faker-js/faker 10
 * (MIT): an upgrade of faker must not change the people of a seed, and loading all of faker costs 9 ms at each start.
 */
export function personFor(text: string, people: readonly PersonName[] = []): Identity {
  const stream = new RandomStream(hashText(text), text);
  const pick = (list: readonly string[]) => list[stream.next() % list.length] ?? '';
  const generated = { firstName: pick(names.firstNames), lastName: pick(names.lastNames) };
  const { firstName, lastName } =
    (people.length === 0 ? undefined : people[hashText(text) % people.length]) ?? generated;
  return {
    firstName,
    lastName,
    residenceCountryCode: 'US',
    residenceStateProvince: pick(names.states),
    residenceCity: pick(names.cities),
    // Joined, since a template keeps its parts in memory.
    residenceAddressDetail: [1 + (stream.next() % MAX_HOUSE_NUMBER), pick(names.streets)].join(' '),
    postalCode: stream.digits(5),
  };
}

// The keys of an object that is written out are those of its type, which Object.keys does not know.
const ADDRESS_FIELDS = Object.keys(addressFields) as (keyof Address)[];

/** Returns the address part of an identity, with only the fields that are set. */
export function addressOf(identity: Partial<Identity>): Address {
  const { residenceCountryCode, residenceStateProvince, residenceCity, residenceAddressDetail, postalCode } =
    identity;
  if (
    residenceCountryCode !== undefined &&
    residenceStateProvince !== undefined &&
    residenceCity !== undefined &&
    residenceAddressDetail !== undefined &&
    postalCode !== undefined
  ) {
    // A literal takes half the memory of an object that gains its fields one by one, and nearly all addresses are complete.
    return {
      residenceCountryCode,
      residenceStateProvince,
      residenceCity,
      residenceAddressDetail,
      postalCode,
    };
  }
  const address: { -readonly [Field in keyof Address]: Address[Field] } = {};
  for (const field of ADDRESS_FIELDS) if (identity[field] !== undefined) address[field] = identity[field];
  return address;
}

export const MAX_EMAIL_LENGTH = 254;
const EXAMPLE_DOMAIN = '@example.com';

/** Returns an e-mail address for a made-up person, whose local part is the beginning of a text of atoms and dots. */
export function exampleEmail(text: string): string {
  const local = text.slice(0, MAX_EMAIL_LENGTH - EXAMPLE_DOMAIN.length).replace(/\.$/, '');
  return local + EXAMPLE_DOMAIN;
}

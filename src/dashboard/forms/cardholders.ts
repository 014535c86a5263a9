import { freshText } from '../browser/timers.ts';
import { attempt, callApi } from '../data/actions.ts';
import { control } from '../data/http.ts';
import type { Cardholder, KycSession, ShareToken } from '../data/response-types.ts';
import { kycSessions, partner, programs, shareTokens } from '../data/store.ts';
import { go } from '../route.ts';
import { ask, type Field, type Values } from '../ui/form.tsx';

const OUTCOMES = [
  ['approve', 'approve'],
  ['reject', 'reject'],
  ['manual', 'wait for a decision here'],
] as const;

/** What of the values is filled in, under the names that the request has for it. */
function filled(values: Values, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap(name => (values[name] ? [[name, values[name]]] : [])));
}

const NAMES = ['firstName', 'lastName'];
const ADDRESS = [
  'residenceCountryCode',
  'residenceStateProvince',
  'residenceCity',
  'residenceAddressDetail',
  'postalCode',
];

/** Asks for a person and mints a share token for them, as a donor partner would. */
export function askForShareToken(): void {
  ask({
    title: 'Mint a share token',
    intro:
      'A donor partner hands it over with a snapshot of a verified identity. What you leave empty is made up.',
    submit: 'Mint token',
    fields: () => [
      {
        name: 'source',
        label: 'Source',
        kind: 'choice',
        choices: [
          ['idp1', 'idp1'],
          ['idp2', 'idp2'],
        ],
      },
      { name: 'outcome', label: 'The card provider will', kind: 'choice', choices: OUTCOMES },
      { name: 'firstName', label: 'First name', isOptional: true },
      { name: 'lastName', label: 'Last name', isOptional: true },
      { name: 'residenceCountryCode', label: 'Country', hint: 'Two capitals, such as FR.', isOptional: true },
      { name: 'residenceCity', label: 'City', isOptional: true },
      { name: 'residenceAddressDetail', label: 'Street and number', isOptional: true },
      { name: 'postalCode', label: 'Postal code', isOptional: true },
      { name: 'expiresIn', label: 'Expires in', hint: 'A duration such as 90s or 24h.', isOptional: true },
    ],
    async run(values) {
      const token = await control<ShareToken>('POST', '/share-tokens', {
        partnerId: partner.value?.id,
        ...filled(values, ['source', 'outcome', 'expiresIn']),
        identity: filled(values, [...NAMES, ...ADDRESS]),
      });
      await shareTokens.load();
      go('tokens', token.token);
    },
  });
}

/** Asks for what a cardholder is created from, or re-imported onto: `from` fills the form in. */
export function askForCardholder(from: Partial<Cardholder> & { readonly token?: string } = {}): void {
  const fresh = freshText();
  const isReimport = from.id !== undefined;
  ask({
    title: isReimport ? 'Re-import KYC' : 'Create a cardholder',
    intro: isReimport
      ? 'The same call with the same external id and a fresh token. Identity and address are overwritten, the rest stays.'
      : 'POST /v1/partner/cardholders, with the key of the partner you look at.',
    submit: isReimport ? 'Re-import' : 'Create cardholder',
    fields: values => {
      const source = values.kycSource ?? from.kycSource ?? 'idp1';
      return [
        {
          name: 'externalUserId',
          label: 'External user id',
          initial: from.externalUserId ?? `user-${fresh}`,
        },
        { name: 'email', label: 'E-mail', kind: 'email', initial: from.email ?? `${fresh}@example.com` },
        {
          name: 'phoneNumber',
          label: 'Phone number',
          initial: from.phoneNumber ?? '+33612345678',
          hint: 'E.164',
        },
        {
          name: 'kycSource',
          label: 'KYC source',
          kind: 'choice',
          initial: source,
          choices: [
            ['idp1', 'idp1, by share token'],
            ['idp2', 'idp2, by share token'],
            ['web', 'web, by hosted page'],
          ],
        },
        source === 'web' ? sessionField() : tokenField(source, from.token),
      ];
    },
    async run(values) {
      const proof = values.kycSource === 'web' ? 'kycSessionId' : `${values.kycSource}ShareToken`;
      const body = filled(values, ['externalUserId', 'email', 'phoneNumber', 'kycSource', proof]);
      const { id } = await callApi<Cardholder>('POST', '/partner/cardholders', body);
      void shareTokens.load();
      go('cardholders', id);
    },
  });
}

function tokenField(source: string, given: string | undefined): Field {
  const usable = shareTokens.rows.value?.find(each => each.source === source && each.usedBy === null);
  return {
    name: `${source}ShareToken`,
    label: 'Share token',
    initial: given ?? usable?.token ?? '',
    hint: `Minted under Share tokens, or made up: ${source}_test_approve_anything.`,
  };
}

function sessionField(): Field {
  const usable = kycSessions.rows.value?.find(each => each.status === 'approved' && each.usedBy === null);
  return {
    name: 'kycSessionId',
    label: 'KYC session',
    initial: usable?.id ?? '',
    hint: 'An approved session that nobody used yet.',
  };
}

/** The field that chooses a card program. */
export function programField(initial?: string | null): Field {
  return {
    name: 'cardProgramId',
    label: 'Card program',
    kind: 'choice',
    initial: initial ?? '',
    choices: (programs.rows.value ?? []).map(({ id, name }) => [id, `${name} (${id})`] as const),
  };
}

/** Asks under which program a cardholder's KYC goes to the card provider. */
export function askForSubmission({ id, firstName, lastName }: Cardholder): void {
  ask({
    title: 'Submit KYC',
    intro: `The identity of ${firstName} ${lastName} leaves for the card provider. From then on a re-import is refused.`,
    submit: 'Submit KYC',
    fields: () => [programField()],
    run: values => callApi('POST', `/partner/cardholders/${id}/kyc`, filled(values, ['cardProgramId'])),
  });
}

/** Opens a KYC session on the hosted page. */
export function askForSession(): void {
  ask({
    title: 'Open a KYC session',
    intro: 'The person is identified on a hosted page, within 24 hours.',
    submit: 'Open session',
    fields: () => [
      { name: 'externalUserId', label: 'External user id', isOptional: true },
      {
        name: 'redirectUrl',
        label: 'Send the person afterwards to',
        isOptional: true,
        hint: 'An http or https URL.',
      },
    ],
    async run(values) {
      const body = filled(values, ['externalUserId', 'redirectUrl']);
      const { id } = await callApi<KycSession>('POST', '/partner/kyc-sessions', body);
      go('sessions', id);
    },
  });
}

/** Decides a KYC submission in flight, as the card provider. */
export function decideSubmission(id: string, verb: 'approve' | 'reject'): void {
  void attempt(`KYC ${verb === 'approve' ? 'approved' : 'rejected'}`, () =>
    control('POST', `/cardholders/${id}/kyc/${verb}`),
  );
}

import { randomText } from '../browser.ts';
import { callApi, withToast } from '../data/actions.ts';
import { sandboxNow } from '../data/clock.ts';
import { REJECTION_REASONS, TOKEN_SOURCES } from '../data/enumerations.ts';
import { control } from '../data/http.ts';
import { readRows, shareTokens } from '../data/records.ts';
import type { Cardholder, ShareToken } from '../data/response-types.ts';
import { hasMagicTokens } from '../data/store.ts';
import { openCreated } from '../route.ts';
import { type Field, openForm } from '../ui/form.tsx';
import { nameOf, readable } from '../ui/format.ts';
import { plainChoices, programField } from './fields.ts';

const MAX_TOKENS = 40;

/**
 * Creates a cardholder, or re-imports the one with the id in `initial`. `proof` has the members of the request that prove
 * the identity; without it the form asks for a share token.
 */
export async function openCardholderForm(
  initial: Partial<Cardholder> = {},
  proof?: Readonly<Record<string, string>>,
): Promise<void> {
  const unused = { filters: { state: 'unused' }, limit: MAX_TOKENS };
  const tokens = proof === undefined ? await readRows(shareTokens, unused) : [];
  const random = randomText(6);
  const isReimport = initial.id !== undefined;
  openForm({
    title: isReimport ? 'Re-import KYC' : 'Create a cardholder',
    intro: isReimport
      ? 'Sends the same external id with a new token. The identity and address are overwritten, the rest stays.'
      : 'Calls POST /v1/partner/cardholders with the key of the selected partner.',
    submit: isReimport ? 'Re-import' : 'Create cardholder',
    fields: values => [
      {
        name: 'externalUserId',
        label: 'External user id',
        initial: initial.externalUserId ?? `user-${random}`,
      },
      {
        name: 'email',
        label: 'E-mail',
        kind: 'email',
        initial: initial.email ?? `${random}@example.com`,
      },
      {
        name: 'phoneNumber',
        label: 'Phone number',
        initial: initial.phoneNumber ?? '+33612345678',
        hint: 'E.164',
      },
      ...(proof === undefined
        ? tokenFields(tokens, values.kycSource ?? initial.kycSource ?? 'idp1', random)
        : []),
    ],
    async run(input) {
      const { id } = await callApi<Cardholder>('POST', '/partner/cardholders', { ...input, ...proof });
      openCreated('cardholders', id);
    },
  });
}

function tokenFields(tokens: readonly ShareToken[], source: string, random: string): Field[] {
  const issued = tokens
    .filter(each => each.source === source)
    .map(({ token, identity }) => [token, `${nameOf(identity)}: ${token}`] as const);
  return [
    {
      name: 'kycSource',
      label: 'KYC source',
      kind: 'choice',
      initial: source,
      choices: plainChoices(TOKEN_SOURCES),
    },
    {
      name: `${source}ShareToken`,
      label: 'Share token',
      kind: 'choice',
      ...(hasMagicTokens.value
        ? { choices: [[`${source}_test_approve_${random}`, 'A new one'], ...issued] }
        : {
            choices: issued,
            hint: 'One that has been issued and not used. Issue one on the page Share tokens.',
          }),
    },
  ];
}

export function openSubmissionForm({ id, firstName, lastName }: Cardholder): void {
  openForm({
    title: 'Submit KYC',
    intro: `Sends the identity of ${firstName} ${lastName} to the card provider. It cannot be re-imported after that.`,
    submit: 'Submit KYC',
    fields: () => [programField()],
    run: input => callApi('POST', `/partner/cardholders/${id}/kyc`, input),
  });
}

export function approveSubmission(id: string): Promise<void> {
  return withToast('KYC approved', () => control('POST', `/cardholders/${id}/kyc/approve`));
}

/** `path` is that of the rejection in the control plane. */
export function openRejectionForm(path: string): void {
  openForm({
    title: 'Reject KYC',
    intro: 'Neither the API nor webhooks contain the reason.',
    submit: 'Reject',
    isDangerous: true,
    fields: () => [
      {
        name: 'reason',
        label: 'Reason',
        kind: 'choice',
        isOptional: true,
        choices: [['', 'none'], ...REJECTION_REASONS.map(reason => [reason, readable(reason)] as const)],
      },
    ],
    run: ({ reason }) => control('POST', path, reason === undefined ? {} : { reasons: [reason] }),
  });
}

/** Whether a share token is unused, used or expired, by the sandbox clock. */
export function tokenState({ usedBy, expiresAt }: ShareToken): 'unused' | 'used' | 'expired' {
  if (usedBy !== null) return 'used';
  return expiresAt !== null && Date.parse(expiresAt) <= (sandboxNow.value ?? 0) ? 'expired' : 'unused';
}

/** The members of a request that prove an identity by a share token. */
export function tokenProof({ source, token }: ShareToken): Readonly<Record<string, string>> {
  return { kycSource: source, [`${source}ShareToken`]: token };
}

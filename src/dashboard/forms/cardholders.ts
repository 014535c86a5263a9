import { randomText } from '../browser/random.ts';
import { callApi, withToast } from '../data/actions.ts';
import { REJECTION_REASONS } from '../data/enumerations.ts';
import { control } from '../data/http.ts';
import type { Cardholder } from '../data/response-types.ts';
import { openCreated } from '../route.ts';
import { openForm } from '../ui/form.tsx';
import { readable } from '../ui/format.ts';
import { proofFields, proofIn, readKycSources, SOURCE_LABELS } from './kyc-source.ts';
import { programField } from './program-field.ts';
import { textsIn } from './values.ts';

/** Opens the form that creates a cardholder, or re-imports the one with the id in `initial`. */
export async function openCardholderForm(
  initial: Partial<Cardholder> & { readonly token?: string } = {},
): Promise<void> {
  const sources = await readKycSources().catch(() => ({ tokens: [], sessions: [] }));
  const random = randomText(4);
  const isReimport = initial.id !== undefined;
  openForm({
    title: isReimport ? 'Re-import KYC' : 'Create a cardholder',
    intro: isReimport
      ? 'Sends the same external id with a new token. The identity and address are overwritten, the rest stays.'
      : 'Calls POST /v1/partner/cardholders with the key of the selected partner.',
    submit: isReimport ? 'Re-import' : 'Create cardholder',
    fields: values => {
      const source = values.kycSource ?? initial.kycSource ?? 'idp1';
      return [
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
        {
          name: 'kycSource',
          label: 'KYC source',
          kind: 'choice',
          initial: source,
          choices: Object.entries(SOURCE_LABELS),
        },
        ...proofFields(source, sources, values).map(field =>
          field.name === 'token' && initial.token !== undefined
            ? { ...field, initial: initial.token }
            : field,
        ),
      ];
    },
    async run(values) {
      const { kycSource = 'idp1' } = values;
      const body = textsIn(values, ['externalUserId', 'email', 'phoneNumber', 'kycSource']);
      const proof = await proofIn(kycSource, values);
      const { id } = await callApi<Cardholder>('POST', '/partner/cardholders', { ...body, ...proof });
      openCreated('cardholders', id);
    },
  });
}

/** Opens the form that submits a cardholder's KYC to the card provider. */
export function openSubmissionForm({ id, firstName, lastName }: Cardholder): void {
  openForm({
    title: 'Submit KYC',
    intro: `Sends the identity of ${firstName} ${lastName} to the card provider. It cannot be re-imported after that.`,
    submit: 'Submit KYC',
    fields: () => [programField()],
    run: values => callApi('POST', `/partner/cardholders/${id}/kyc`, textsIn(values, ['cardProgramId'])),
  });
}

/** Opens the form that rejects KYC with a reason; `path` is that of the rejection. */
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
        choices: REJECTION_REASONS.map(reason => [reason, readable(reason)] as const),
      },
    ],
    run: ({ reason }) => control('POST', path, { reasons: [reason] }),
  });
}

/** Decides a KYC submission in flight, as the card provider. */
export function decideSubmission(id: string, verb: 'approve' | 'reject'): void {
  void withToast(`KYC ${verb === 'approve' ? 'approved' : 'rejected'}`, () =>
    control('POST', `/cardholders/${id}/kyc/${verb}`),
  );
}

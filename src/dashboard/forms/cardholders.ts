import { randomText } from '../browser/random.ts';
import { callApi, withToast } from '../data/actions.ts';
import { control } from '../data/http.ts';
import type { Cardholder } from '../data/response-types.ts';
import { kycSessions, shareTokens } from '../data/store.ts';
import { go } from '../route.ts';
import { openForm } from '../ui/form.tsx';
import type { Field } from '../ui/input.tsx';
import { programField } from './program-field.ts';
import { textsIn } from './values.ts';

/** Sources of the form. `api` is missing: it would need the fields of an identity. */
const SOURCE_LABELS: Readonly<Record<Exclude<Cardholder['kycSource'], 'api'>, string>> = {
  idp1: 'idp1, by share token',
  idp2: 'idp2, by share token',
  web: 'web, by hosted page',
};

/** Opens the form that creates a cardholder, or re-imports the one with the id in `initial`. */
export function openCardholderForm(initial: Partial<Cardholder> & { readonly token?: string } = {}): void {
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
        source === 'web' ? sessionField() : tokenField(source, initial.token),
      ];
    },
    async run(values) {
      const proof = values.kycSource === 'web' ? 'kycSessionId' : `${values.kycSource}ShareToken`;
      const body = textsIn(values, ['externalUserId', 'email', 'phoneNumber', 'kycSource', proof]);
      const { id } = await callApi<Cardholder>('POST', '/partner/cardholders', body);
      go('cardholders', id);
    },
  });
}

function tokenField(source: string, token: string | undefined): Field {
  const unused = shareTokens.rows.value?.find(each => each.source === source && each.usedBy === null);
  return {
    name: `${source}ShareToken`,
    label: 'Share token',
    initial: token ?? unused?.token ?? '',
    hint: `A token from Share tokens, or any of the form ${source}_test_approve_anything.`,
  };
}

function sessionField(): Field {
  const unused = kycSessions.rows.value?.find(each => each.status === 'approved' && each.usedBy === null);
  return {
    name: 'kycSessionId',
    label: 'KYC session',
    initial: unused?.id ?? '',
    hint: 'An approved session that is not used yet.',
  };
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

/** Decides a KYC submission in flight, as the card provider. */
export function decideSubmission(id: string, verb: 'approve' | 'reject'): void {
  void withToast(`KYC ${verb === 'approve' ? 'approved' : 'rejected'}`, () =>
    control('POST', `/cardholders/${id}/kyc/${verb}`),
  );
}

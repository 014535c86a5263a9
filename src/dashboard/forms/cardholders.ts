import { randomText } from '../browser.ts';
import { callApi, withToast } from '../data/actions.ts';
import { sandboxNow } from '../data/clock.ts';
import { REJECTION_REASONS } from '../data/enumerations.ts';
import { control } from '../data/http.ts';
import { kycSessions, readRows, shareTokens } from '../data/records.ts';
import type { Cardholder, KycSession, ShareToken } from '../data/response-types.ts';
import { partner } from '../data/store.ts';
import { openCreated } from '../route.ts';
import { type Field, openForm, type Values } from '../ui/form.tsx';
import { nameOf, readable } from '../ui/format.ts';
import { programField, textsIn } from './fields.ts';

const MAX_CHOICES = 20;
// A choice must not be empty, since the browser takes that for no choice.
const FRESH = 'new';
const TYPED = 'another';

/** Sources of a cardholder's identity. `api` is missing: it would need the fields of an identity. */
const SOURCE_LABELS: Readonly<Record<Exclude<Cardholder['kycSource'], 'api'>, string>> = {
  idp1: 'idp1, by share token',
  idp2: 'idp2, by share token',
  web: 'web, by hosted page',
};

/** The share tokens and KYC sessions that a form can offer. */
interface KycSources {
  readonly tokens: readonly ShareToken[];
  readonly sessions: readonly KycSession[];
}

/** Creates a cardholder, or re-imports the one with the id in `initial`. */
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

export function openSubmissionForm({ id, firstName, lastName }: Cardholder): void {
  openForm({
    title: 'Submit KYC',
    intro: `Sends the identity of ${firstName} ${lastName} to the card provider. It cannot be re-imported after that.`,
    submit: 'Submit KYC',
    fields: () => [programField()],
    run: values => callApi('POST', `/partner/cardholders/${id}/kyc`, textsIn(values, ['cardProgramId'])),
  });
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
        choices: REJECTION_REASONS.map(reason => [reason, readable(reason)] as const),
      },
    ],
    run: ({ reason }) => control('POST', path, { reasons: [reason] }),
  });
}

export function decideSubmission(id: string, verb: 'approve' | 'reject'): void {
  void withToast(`KYC ${verb === 'approve' ? 'approved' : 'rejected'}`, () =>
    control('POST', `/cardholders/${id}/kyc/${verb}`),
  );
}

/** Reads the newest share tokens and approved KYC sessions of the selected partner. */
async function readKycSources(): Promise<KycSources> {
  const [tokens, sessions] = await Promise.all([
    readRows(shareTokens, { limit: MAX_CHOICES * 2 }),
    readRows(kycSessions, { filters: { status: 'approved' }, limit: MAX_CHOICES }),
  ]);
  return { tokens, sessions: sessions.filter(({ usedBy }) => usedBy === null) };
}

/** Whether a share token is unused, used or expired, by the sandbox clock. */
export function tokenState({ usedBy, expiresAt }: ShareToken): 'unused' | 'used' | 'expired' {
  if (usedBy !== null) return 'used';
  return expiresAt !== null && Date.parse(expiresAt) <= (sandboxNow.value ?? 0) ? 'expired' : 'unused';
}

/** Returns the fields for the proof of an identity. What they offer first works at once. */
function proofFields(source: string, { tokens, sessions }: KycSources, values: Values): Field[] {
  if (source === 'web') {
    const choices = sessions.map(
      ({ id, identity }) => [id, identity === null ? id : `${nameOf(identity)}: ${id}`] as const,
    );
    return [
      {
        name: 'kycSessionId',
        label: 'KYC session',
        kind: 'choice',
        choices: [[FRESH, 'A new one, approved at once'], ...choices],
      },
    ];
  }
  const offered = tokens
    .filter(each => each.source === source)
    .toSorted((a, b) => Number(tokenState(a) !== 'unused') - Number(tokenState(b) !== 'unused'))
    .slice(0, MAX_CHOICES)
    .map(each => [each.token, `${nameOf(each.identity)}, ${tokenState(each)}: ${each.token}`] as const);
  const choice: Field = {
    name: 'token',
    label: 'Share token',
    kind: 'choice',
    choices: [[FRESH, 'A new one, issued now'], ...offered, [TYPED, 'Another…']],
  };
  if (values.token !== TYPED) return [choice];
  const hint = `Any text of the form ${source}_test_approve_anything works once.`;
  return [choice, { name: 'typedToken', label: 'Text of the token', hint }];
}

/** Returns the members of a request that prove the identity. Issues or opens what does not exist yet. */
async function proofIn(source: string, values: Values): Promise<Record<string, string>> {
  const chosen = source === 'web' ? values.kycSessionId : values.token;
  if (source === 'web') return { kycSessionId: isFresh(chosen) ? await approveNewSession() : chosen };
  const token = chosen === TYPED ? (values.typedToken ?? '') : chosen;
  return { [`${source}ShareToken`]: isFresh(token) ? await issueToken(source) : token };
}

function isFresh(chosen: string | undefined): chosen is undefined | typeof FRESH {
  return chosen === undefined || chosen === FRESH;
}

async function issueToken(source: string): Promise<string> {
  const { token } = await control<ShareToken>('POST', '/share-tokens', {
    partnerId: partner.value?.id,
    source,
  });
  return token;
}

async function approveNewSession(): Promise<string> {
  const { id } = await callApi<KycSession>('POST', '/partner/kyc-sessions', {});
  await control('POST', `/kyc-sessions/${id}/approve`, {});
  return id;
}

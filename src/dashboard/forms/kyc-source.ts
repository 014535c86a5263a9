import { callApi } from '../data/actions.ts';
import { control } from '../data/http.ts';
import { kycSessions, readRows, shareTokens } from '../data/records/lists.ts';
import type { Cardholder, KycSession, ShareToken } from '../data/response-types.ts';
import { sandboxNow } from '../data/sandbox-time.ts';
import { partner } from '../data/store.ts';
import type { Values } from '../ui/form.tsx';
import type { Field } from '../ui/input.tsx';

const MAX_CHOICES = 20;
// A choice must not be empty, since the browser takes that for no choice.
const FRESH = 'new';
const TYPED = 'another';

/** Sources of a cardholder's identity. `api` is missing: it would need the fields of an identity. */
export const SOURCE_LABELS: Readonly<Record<Exclude<Cardholder['kycSource'], 'api'>, string>> = {
  idp1: 'idp1, by share token',
  idp2: 'idp2, by share token',
  web: 'web, by hosted page',
};

/** The share tokens and KYC sessions that a form can offer. */
export interface KycSources {
  readonly tokens: readonly ShareToken[];
  readonly sessions: readonly KycSession[];
}

/** Reads the newest share tokens and approved KYC sessions of the selected partner. */
export async function readKycSources(): Promise<KycSources> {
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
export function proofFields(source: string, { tokens, sessions }: KycSources, values: Values): Field[] {
  if (source === 'web') {
    const choices = sessions.map(
      ({ id, externalUserId }) => [id, `${id}, ${externalUserId ?? 'approved'}`] as const,
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
    .map(
      each =>
        [
          each.token,
          `${each.identity.firstName} ${each.identity.lastName}, ${tokenState(each)}: ${each.token}`,
        ] as const,
    );
  const choice: Field = {
    name: 'token',
    label: 'Share token',
    kind: 'choice',
    choices: [[FRESH, 'A new one, minted now'], ...offered, [TYPED, 'Another…']],
  };
  if (values.token !== TYPED) return [choice];
  const hint = `Any text of the form ${source}_test_approve_anything works once.`;
  return [choice, { name: 'typedToken', label: 'Text of the token', hint }];
}

/** Returns the members of a request that prove the identity. Mints or opens what does not exist yet. */
export async function proofIn(source: string, values: Values): Promise<Record<string, string>> {
  const chosen = source === 'web' ? values.kycSessionId : values.token;
  if (source === 'web') return { kycSessionId: isFresh(chosen) ? await approvedSession() : chosen };
  const token = chosen === TYPED ? (values.typedToken ?? '') : chosen;
  return { [`${source}ShareToken`]: isFresh(token) ? await mintedToken(source) : token };
}

function isFresh(chosen: string | undefined): chosen is undefined | typeof FRESH {
  return chosen === undefined || chosen === FRESH;
}

async function mintedToken(source: string): Promise<string> {
  const { token } = await control<ShareToken>('POST', '/share-tokens', {
    partnerId: partner.value?.id,
    source,
  });
  return token;
}

async function approvedSession(): Promise<string> {
  const { id } = await callApi<KycSession>('POST', '/partner/kyc-sessions', {});
  await control('POST', `/kyc-sessions/${id}/approve`, {});
  return id;
}

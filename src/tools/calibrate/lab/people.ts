import type { Exchange } from '../../evidence.ts';
import { keepUndecided, Undecided } from '../probe.ts';
import { isOk, itemsOf, messageOf, textOf } from '../service/responses.ts';
import type { Lab } from './lab.ts';
import { subscribe } from './webhooks.ts';

/** What a magic token says the provider decides. */
export type Outcome = 'approve' | 'reject' | 'manual';

const CARDHOLDERS = '/partner/cardholders';
const OK = 200;
const CREATED = 201;
/** What a decision makes of the KYC status, and the variable with such a cardholder. */
const DECISIONS = {
  approve: { kycStatus: 'approved', variable: 'cardholderId' },
  reject: { kycStatus: 'rejected', variable: 'rejectedCardholderId' },
} as const;

/** Resolves with the id of the card program of new cards. Rejects with Undecided when there is none. */
export function programId(lab: Lab): Promise<string> {
  return lab.once('program', async () => {
    const { cardProgramId } = lab.variables;
    if (cardProgramId !== undefined) return cardProgramId;
    const list = await lab.service.get('/partner/card-programs');
    const cards = await lab.service.get('/partner/cards', { limit: '1' });
    // The list of card programs is an assumption; the program of a card is not.
    const id = textOf(itemsOf(list)[0], 'id') || textOf(itemsOf(cards)[0], 'programId');
    if (id === '') throw new Undecided('a card program; pass --var cardProgramId=…', list, cards);
    return id;
  });
}

/** Returns the body that creates a new cardholder from a share token. */
export function newCardholderBody(
  lab: Lab,
  { outcome = 'approve', source = 'idp1' }: { outcome?: Outcome; source?: 'idp1' | 'idp2' } = {},
): Readonly<Record<string, string>> {
  const name = lab.newName();
  return {
    externalUserId: name,
    email: `${name}@example.com`,
    phoneNumber: '+4915123456789',
    kycSource: source,
    [`${source}ShareToken`]: tokenFor(lab, outcome, source, name),
  };
}

/** Returns a share token: the next one of `--var`, or else a magic one. */
export function tokenFor(lab: Lab, outcome: Outcome, source: string, name = lab.newName()): string {
  const magic = `${source}_test_${outcome}_${name}`;
  if (source !== 'idp1') return magic;
  if (outcome === 'reject') return lab.variables.rejectedShareToken ?? magic;
  return outcome === 'approve' ? (nextToken(lab) ?? magic) : magic;
}

const givenTokens = new WeakMap<Lab, string[]>();

function nextToken(lab: Lab): string | undefined {
  const tokens = givenTokens.get(lab) ?? lab.variables.shareTokens?.split(',') ?? [];
  givenTokens.set(lab, tokens);
  return tokens.shift();
}

/** Creates a cardholder. Rejects with Undecided when the service refuses. */
export async function createCardholder(
  lab: Lab,
  body: Readonly<Record<string, string>> = newCardholderBody(lab),
): Promise<Exchange> {
  const created = await lab.service.post(CARDHOLDERS, body);
  if (created.status === CREATED) return created;
  throw new Undecided(
    `a share token that the service accepts (${created.status}: ${messageOf(created)}); pass --var shareTokens=…`,
    created,
  );
}

/** Submits the KYC of a cardholder. */
export async function submitKyc(lab: Lab, cardholderId: string): Promise<Exchange> {
  return lab.service.post(`${CARDHOLDERS}/${cardholderId}/kyc`, { cardProgramId: await programId(lab) });
}

/** A cardholder whose KYC has been decided. */
export interface Decided {
  readonly id: string;
  /** The creation, the submission, and the read that shows the decision, as far as the probes made them. */
  readonly exchanges: readonly Exchange[];
}

/** Resolves with an active cardholder whose KYC has this outcome. Rejects with Undecided when there is none. */
export function findDecided(lab: Lab, outcome: 'approve' | 'reject'): Promise<Decided> {
  return lab.once(`any ${outcome}`, async () => {
    const { kycStatus, variable } = DECISIONS[outcome];
    const id = lab.variables[variable];
    if (id !== undefined) return { id, exchanges: [] };
    const own = await decideKyc(lab, outcome).catch(keepUndecided);
    return own instanceof Undecided ? findExisting(lab, kycStatus, own, variable) : own;
  });
}

/** Resolves with a new cardholder, once the provider has decided. Rejects with Undecided when it does not in time. */
export function decideKyc(lab: Lab, outcome: 'approve' | 'reject'): Promise<Decided> {
  return lab.once(`decided ${outcome}`, async () => {
    // So that the events of the decision are recorded.
    await subscribe(lab);
    const created = await createCardholder(lab, newCardholderBody(lab, { outcome }));
    const id = textOf(created.body, 'id');
    const submitted = await submitKyc(lab, id);
    if (!isOk(submitted)) throw new Undecided('a cardholder whose KYC can be submitted', created, submitted);
    const { kycStatus: wanted } = DECISIONS[outcome];
    const read = await lab.until(async () => {
      const current = await lab.service.get(`${CARDHOLDERS}/${id}`);
      return textOf(current.body, 'kycStatus') === wanted ? current : null;
    });
    if (read === null) {
      throw new Undecided(`a KYC that is ${wanted} in time; pass --patience`, created, submitted);
    }
    return { id, exchanges: [created, submitted, read] };
  });
}

/** Finds a cardholder of the list, whose own KYC was decided earlier. */
async function findExisting(
  lab: Lab,
  kycStatus: string,
  reason: Undecided,
  variable: string,
): Promise<Decided> {
  const list = await lab.service.get(CARDHOLDERS, { kycStatus, status: 'active', limit: '100' });
  const found = itemsOf(list).find(
    each => list.status === OK && each.kycStatus === kycStatus && each.status === 'active',
  );
  if (found !== undefined) return { id: textOf(found, 'id'), exchanges: [] };
  throw new Undecided(`${reason.message}; or pass --var ${variable}=…`, ...reason.exchanges);
}

import type { Scenario } from '../file/read.ts';
import { actionOf, CALL, PARTIES, type Party, type Step } from '../file/schema.ts';

export interface Message {
  readonly from: Party;
  readonly to: Party;
}

const NAMES: Readonly<Record<Party, string>> = {
  person: 'Customer',
  phone: 'Phone',
  bank: 'Bank',
  partner: 'Partner',
  service: 'Card service',
  provider: 'Card provider',
  shop: 'Shop',
  stranger: 'Stranger',
};

/** Who does what the control plane simulates, by the beginning of the path. */
const SIMULATED: readonly (readonly [path: RegExp, from: Party, to: Party])[] = [
  [/^\/share-tokens/, 'bank', 'partner'],
  [/^\/(?:cardholders|kyc-sessions)/, 'provider', 'service'],
  [/^\/(?:transactions|3ds|cards\/[^/]+\/3ds)/, 'shop', 'service'],
  [/^\/(?:cards|partners|balance)/, 'partner', 'service'],
];

/** Returns who sends something to whom in a step, or null when nobody does. */
export function messageOf(step: Step): Message | null {
  const usual = usualMessage(step);
  const { from = usual?.from, to = usual?.to } = step;
  return from === undefined || to === undefined ? null : { from, to };
}

function usualMessage(step: Step): Message | null {
  const action = actionOf(step);
  if (action === 'request') return { from: 'partner', to: 'service' };
  if (action === 'webhook') return { from: step.webhook?.isForged ? 'stranger' : 'service', to: 'partner' };
  if (action !== 'control') return null;
  const [, method, path = ''] = CALL.exec(step.control ?? '') ?? [];
  // A look at what is there is no message.
  if (method === 'GET') return null;
  const [, from, to] = SIMULATED.find(([pattern]) => pattern.test(path)) ?? [];
  return from === undefined || to === undefined ? null : { from, to };
}

/** Returns the parties of a story: those that it names, and those between which messages are sent. */
export function partiesOf({ steps, parties }: Scenario): { readonly id: Party; readonly name: string }[] {
  const active = new Set(steps.flatMap(step => Object.values(messageOf(step) ?? {})));
  return PARTIES.filter(id => active.has(id) || parties[id] !== undefined).map(id => ({
    id,
    name: parties[id] ?? NAMES[id],
  }));
}

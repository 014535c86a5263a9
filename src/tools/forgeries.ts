import type { WebhookFaultKind } from '../client/generated/records.ts';
import { signWebhook } from '../core/values/signature.ts';

interface DeliveryContext {
  readonly secret: string;
  readonly now: number;
  /** Part of the event ids, different in each run. */
  readonly run: string;
}

interface Delivery {
  readonly eventType: string;
  readonly signature: string | null;
  readonly body: string;
}

/** How a delivery differs from a genuine one. With an id alone it is one. */
export interface Variation {
  readonly id: string;
  /** The id of the one whose event it repeats. */
  readonly repeats?: string;
  readonly eventType?: string;
  /** Members of the data. */
  readonly data?: object;
  /** Writes the event in another way, before it is signed. */
  readonly write?: (text: string) => string;
  /** Returns what is sent instead of the genuine signature of a body; null for none. */
  readonly sign?: (genuine: string, text: string, context: DeliveryContext) => string | null;
  /** Changes the body after it has been signed. */
  readonly tamper?: (text: string) => string;
}

/** Further from now than any tolerance. */
const HOUR_SECONDS = 60 * 60;

export function createDelivery(variation: Variation, context: DeliveryContext): Delivery {
  const { id, repeats = id, eventType = 'card.issued', data } = variation;
  const { write = same, sign = same, tamper = same } = variation;
  const text = write(JSON.stringify(eventOf(`evt_doctor_${context.run}_${repeats}`, eventType, data)));
  const genuine = signWebhook(text, context.secret, context.now);
  return { eventType, signature: sign(genuine, text, context), body: tamper(text) };
}

function same(text: string): string {
  return text;
}

function eventOf(id: string, eventType: string, members: object = {}) {
  const spending = { perTransaction: 500, daily: 1000, monthly: 5000, allTime: 20000 };
  const nothing = { perTransaction: 0, daily: 0, monthly: 0, allTime: 0 };
  const createdAt = '2026-01-31T12:00:00.000Z';
  return {
    id,
    eventType,
    createdAt,
    data: {
      id: 'card_doctor',
      type: 'virtual',
      brand: 'visa',
      status: 'created',
      nameOnCard: 'Zoë Doctor',
      limit: 1000,
      last4: '4242',
      programId: 'prog_doctor',
      createdAt,
      spendControl: { sales: spending, cash: spending, spent: { sales: nothing, cash: nothing } },
      ...members,
    },
  };
}

export function indent(text: string): string {
  return JSON.stringify(JSON.parse(text), null, 2);
}

/** Signs with a timestamp some seconds from now. */
export function signAt(seconds: number): NonNullable<Variation['sign']> {
  return (_, text, { secret, now }) => signWebhook(text, secret, now + seconds);
}

function withOtherEnd(signature: string): string {
  return signature.slice(0, -1) + (signature.endsWith('0') ? '1' : '0');
}

export interface Forgery {
  readonly probe?: Variation & { readonly title: string; readonly why: string };
  /** How an exam has the sandbox send it, beside a genuine one. */
  readonly misbehaviour?: {
    readonly fault: WebhookFaultKind;
    readonly id: string;
    readonly why: string;
    readonly sound: string;
  };
}

/** Every forged, altered and replayed webhook, in the order in which doctor sends them. */
export const forgeries: readonly Forgery[] = [
  {
    probe: {
      id: 'reserialized',
      title: 'signed over re-serialized JSON',
      why: 'A receiver that parses before it verifies exposes its parser to anyone, and does not verify what was sent.',
      tamper: indent,
    },
  },
  {
    probe: {
      id: 'tampered',
      title: 'body changed after signing',
      why: 'Otherwise anyone between sender and receiver can change the event.',
      tamper: text => text.replace('"limit":1000,', '"limit":9999999,'),
    },
    misbehaviour: {
      fault: 'tampered_body',
      id: 'body-tampered',
      why: 'Whoever can read a webhook on its way can change it.',
      sound: 'Verify the signature over the raw bytes before you parse or process the body.',
    },
  },
  {
    probe: {
      id: 'wrong-secret',
      title: 'signed with another secret',
      why: 'Otherwise anyone can forge events.',
      sign: (_, text, { secret, now }) => signWebhook(text, `not-${secret}`, now),
    },
    misbehaviour: {
      fault: 'other_secret',
      id: 'signature-other-secret',
      why: 'Anyone who knows the URL of a receiver can send it events that are signed with a secret of their own.',
      sound:
        'Compute the signature with your secret, compare it in constant time, and answer 401 if it differs.',
    },
  },
  {
    probe: {
      id: 'prefix',
      title: 'signature with a wrong last digit',
      why: 'If only the first characters are compared, a forged signature can be found by trial.',
      sign: withOtherEnd,
    },
    misbehaviour: {
      fault: 'bad_signature',
      id: 'signature-last-digit',
      why: 'If only the first characters of a signature are compared, a forged one can be found by trial.',
      sound: 'Compare the whole signature, in constant time.',
    },
  },
  {
    probe: {
      id: 'short',
      title: 'truncated signature',
      why: 'If only the characters that were sent are compared, a single digit passes; if the comparison throws, the process may end.',
      sign: signature => signature.slice(0, signature.indexOf('v1=') + 9),
    },
  },
  {
    probe: {
      id: 'stale',
      title: 'signed an hour ago',
      why: 'Otherwise a recorded delivery can be replayed forever.',
      sign: signAt(-HOUR_SECONDS),
    },
    misbehaviour: {
      fault: 'stale_timestamp',
      id: 'timestamp-old',
      why: 'Whoever has recorded a webhook can send it again later.',
      sound: 'Refuse a signature whose timestamp is more than 5 minutes old.',
    },
  },
  {
    probe: {
      id: 'missing',
      title: 'no signature',
      why: 'Otherwise omitting the header bypasses the check.',
      sign: () => null,
    },
    misbehaviour: {
      fault: 'missing_signature',
      id: 'signature-missing',
      why: 'Anyone can leave a header out.',
      sound: 'Answer 401 to a request without a signature.',
    },
  },
  {
    probe: {
      id: 'malformed',
      title: 'malformed signature',
      why: 'Anyone can send any header; it must be refused without an error.',
      sign: () => 't=soon,v1',
    },
  },
  {
    misbehaviour: {
      fault: 'other_partner',
      id: 'record-of-other-partner',
      why: 'The URL of a receiver is configured for another partner, too, whose webhooks are signed with another secret.',
      sound: 'Accept only webhooks that are signed with your own secret.',
    },
  },
];

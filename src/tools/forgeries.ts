import type { WebhookFaultKind } from '../client/generated/records.ts';
import { signWebhook } from '../core/values/signature.ts';

export interface DeliveryContext {
  readonly secret: string;
  readonly now: number;
  /** Part of the event ids, different in each run. */
  readonly run: string;
}

export interface Delivery {
  readonly eventType: string;
  readonly signature: string | null;
  readonly body: string;
}

export const TYPE = 'card.issued';
/** Further from now than any tolerance. */
const HOUR_SECONDS = 60 * 60;

export function body(id: string, { run }: DeliveryContext, members: object = {}, eventType = TYPE): string {
  const spending = { perTransaction: 500, daily: 1000, monthly: 5000, allTime: 20000 };
  const nothing = { perTransaction: 0, daily: 0, monthly: 0, allTime: 0 };
  const createdAt = '2026-01-31T12:00:00.000Z';
  return JSON.stringify({
    id: `evt_doctor_${run}_${id}`,
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
  });
}

/** Returns a delivery whose signature `sign` derives from the genuine one. */
export function sign(
  id: string,
  context: DeliveryContext,
  sign: (genuine: string, text: string) => string | null,
): Delivery {
  const text = body(id, context);
  return {
    eventType: TYPE,
    body: text,
    signature: sign(signWebhook(text, context.secret, context.now), text),
  };
}

export const indentBody = (id: string, context: DeliveryContext) =>
  JSON.stringify(JSON.parse(body(id, context)), null, 2);

function withOtherEnd(signature: string): string {
  return signature.slice(0, -1) + (signature.endsWith('0') ? '1' : '0');
}

export interface Forgery {
  readonly probe?: {
    readonly id: string;
    readonly title: string;
    readonly why: string;
    delivery(context: DeliveryContext): Delivery;
  };
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
      delivery(context) {
        const text = indentBody('reserialized', context);
        const other = JSON.stringify(JSON.parse(text));
        return { eventType: TYPE, body: text, signature: signWebhook(other, context.secret, context.now) };
      },
    },
  },
  {
    probe: {
      id: 'tampered',
      title: 'body changed after signing',
      why: 'Otherwise anyone between sender and receiver can change the event.',
      delivery(context) {
        const { signature } = sign('tampered', context, each => each);
        return { eventType: TYPE, body: body('tampered', context, { limit: 9_999_999 }), signature };
      },
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
      delivery: context =>
        sign('wrong-secret', context, (_, text) => signWebhook(text, `not-${context.secret}`, context.now)),
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
      delivery: context => sign('prefix', context, withOtherEnd),
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
      delivery: context =>
        sign('short', context, signature => signature.slice(0, signature.indexOf('v1=') + 9)),
    },
  },
  {
    probe: {
      id: 'stale',
      title: 'signed an hour ago',
      why: 'Otherwise a recorded delivery can be replayed forever.',
      delivery: context =>
        sign('stale', context, (_, text) => signWebhook(text, context.secret, context.now - HOUR_SECONDS)),
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
      delivery: context => sign('missing', context, () => null),
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
      delivery: context => sign('malformed', context, () => 't=soon,v1'),
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

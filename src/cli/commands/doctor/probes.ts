import { signWebhook } from '../../../core/values/signature.ts';

/** What a receiver has to do with a delivery. */
export type Expected = 'accept' | 'refuse';

/** A delivery that tests a receiver. */
export interface Probe {
  readonly id: string;
  /** What is sent, for people. */
  readonly title: string;
  readonly expected: Expected;
  /** Whether any other outcome fails the probe; otherwise it is only doubtful. */
  readonly isRequired: boolean;
  /** Why it matters, in one sentence. */
  readonly why: string;
  /** Sent in chunks, with pauses. */
  readonly isSlow?: true;
  delivery(context: ProbeContext): Delivery;
}

/** What probes build their deliveries from. */
export interface ProbeContext {
  readonly secret: string;
  /** Unix seconds. */
  readonly now: number;
  /** Part of the event ids, different in each run. */
  readonly run: string;
}

/** A delivery without its URL. */
export interface Delivery {
  readonly eventType: string;
  /** Null for none. */
  readonly signature: string | null;
  readonly body: string;
}

const TYPE = 'card.issued';
const UNKNOWN_TYPE = 'card.doctor.unheard_of';
/** Further from now than a receiver should accept. */
const FAR_SECONDS = 10 * 60;
const LARGE_BYTES = 256 * 1024;

function body(id: string, { run }: ProbeContext, members: object = {}, eventType = TYPE): string {
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
function signed(
  id: string,
  context: ProbeContext,
  sign: (genuine: string, text: string) => string | null,
): Delivery {
  const text = body(id, context);
  return {
    eventType: TYPE,
    body: text,
    signature: sign(signWebhook(text, context.secret, context.now), text),
  };
}

const genuine = (context: ProbeContext): Delivery => signed('valid', context, signature => signature);

const indented = (id: string, context: ProbeContext) =>
  JSON.stringify(JSON.parse(body(id, context)), null, 2);

/** Replaces the last hexadecimal digit. */
function withOtherEnd(signature: string): string {
  return signature.slice(0, -1) + (signature.endsWith('0') ? '1' : '0');
}

/** The probes, in the order in which they are sent. The first is the genuine delivery. */
export const probes: readonly Probe[] = [
  {
    id: 'valid',
    title: 'genuine',
    expected: 'accept',
    isRequired: true,
    why: 'A refused delivery is retried five times and then lost.',
    delivery: genuine,
  },
  {
    id: 'duplicate',
    title: 'the same event again',
    expected: 'accept',
    isRequired: true,
    why: 'A response may get lost, so an event may arrive twice: acknowledge it and do nothing the second time.',
    delivery: genuine,
  },
  {
    id: 'spelling',
    title: 'genuine, with other white space',
    expected: 'accept',
    isRequired: true,
    why: 'The raw bytes are signed, not the parsed value.',
    delivery(context) {
      const text = indented('spelling', context).replace('Zoë', 'Zo\\u00eb');
      return { eventType: TYPE, body: text, signature: signWebhook(text, context.secret, context.now) };
    },
  },
  {
    id: 'reserialized',
    title: 'signed over re-serialized JSON',
    expected: 'refuse',
    isRequired: true,
    why: 'A receiver that parses before it verifies exposes its parser to anyone, and does not verify what was sent.',
    delivery(context) {
      const text = indented('reserialized', context);
      const other = JSON.stringify(JSON.parse(text));
      return { eventType: TYPE, body: text, signature: signWebhook(other, context.secret, context.now) };
    },
  },
  {
    id: 'tampered',
    title: 'body changed after signing',
    expected: 'refuse',
    isRequired: true,
    why: 'Otherwise anyone between sender and receiver can change the event.',
    delivery(context) {
      const { signature } = signed('tampered', context, each => each);
      return { eventType: TYPE, body: body('tampered', context, { limit: 9_999_999 }), signature };
    },
  },
  {
    id: 'wrong-secret',
    title: 'signed with another secret',
    expected: 'refuse',
    isRequired: true,
    why: 'Otherwise anyone can forge events.',
    delivery: context =>
      signed('wrong-secret', context, (_, text) => signWebhook(text, `not-${context.secret}`, context.now)),
  },
  {
    id: 'prefix',
    title: 'signature with a wrong last digit',
    expected: 'refuse',
    isRequired: true,
    why: 'If only the first characters are compared, a forged signature can be found by trial.',
    delivery: context => signed('prefix', context, withOtherEnd),
  },
  {
    id: 'short',
    title: 'truncated signature',
    expected: 'refuse',
    isRequired: true,
    why: 'If only the characters that were sent are compared, a single digit passes; if the comparison throws, the process may end.',
    delivery: context =>
      signed('short', context, signature => signature.slice(0, signature.indexOf('v1=') + 9)),
  },
  {
    id: 'stale',
    title: 'signed 10 minutes ago',
    expected: 'refuse',
    isRequired: true,
    why: 'Otherwise a recorded delivery can be replayed forever.',
    delivery: context =>
      signed('stale', context, (_, text) => signWebhook(text, context.secret, context.now - FAR_SECONDS)),
  },
  {
    id: 'future',
    title: 'signed 10 minutes in the future',
    expected: 'refuse',
    isRequired: true,
    why: 'Otherwise a delivery can be replayed until its timestamp expires.',
    delivery: context =>
      signed('future', context, (_, text) => signWebhook(text, context.secret, context.now + FAR_SECONDS)),
  },
  {
    id: 'missing',
    title: 'no signature',
    expected: 'refuse',
    isRequired: true,
    why: 'Otherwise omitting the header bypasses the check.',
    delivery: context => signed('missing', context, () => null),
  },
  {
    id: 'malformed',
    title: 'malformed signature',
    expected: 'refuse',
    isRequired: true,
    why: 'Anyone can send any header; it must be refused without an error.',
    delivery: context => signed('malformed', context, () => 't=soon,v1'),
  },
  {
    id: 'unknown-type',
    title: 'genuine, of an unknown event type',
    expected: 'accept',
    isRequired: false,
    why: 'New event types may be added; refused deliveries are retried.',
    delivery(context) {
      const text = body('unknown-type', context, {}, UNKNOWN_TYPE);
      return {
        eventType: UNKNOWN_TYPE,
        body: text,
        signature: signWebhook(text, context.secret, context.now),
      };
    },
  },
  {
    id: 'large',
    title: 'genuine, 256 KiB long',
    expected: 'accept',
    isRequired: false,
    why: 'Many frameworks refuse bodies over 100 KiB by default.',
    delivery(context) {
      const text = body('large', context, { nameOnCard: 'x'.repeat(LARGE_BYTES) });
      return { eventType: TYPE, body: text, signature: signWebhook(text, context.secret, context.now) };
    },
  },
  {
    id: 'slow',
    title: 'genuine, sent slowly',
    expected: 'accept',
    isRequired: false,
    why: 'Networks can be slow, and a body may arrive in several chunks.',
    isSlow: true,
    delivery: context => signed('slow', context, signature => signature),
  },
];

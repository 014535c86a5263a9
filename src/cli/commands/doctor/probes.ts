import { signWebhook } from '../../../kernel/values/signature.ts';

/** What a receiver has to do with a delivery. */
export type Expected = 'accept' | 'refuse';

/** A delivery that tells something about a receiver by how it is answered. */
export interface Probe {
  readonly id: string;
  /** What is sent, in a few words. */
  readonly title: string;
  readonly expected: Expected;
  /** Whether a receiver that does otherwise is wrong; otherwise it is only worth a word. */
  readonly isNeeded: boolean;
  /** Why it matters, as one sentence. */
  readonly why: string;
  /** Sent in pieces, with pauses. */
  readonly isSlow?: true;
  delivery(given: Signing): Delivery;
}

/** What deliveries are made with. */
export interface Signing {
  readonly secret: string;
  /** Unix seconds. */
  readonly now: number;
  /** Tells the events of one examination from those of another. */
  readonly run: string;
}

/** A delivery without its address. */
export interface Delivery {
  readonly eventType: string;
  /** Null for none. */
  readonly signature: string | null;
  readonly body: string;
}

const TYPE = 'card.issued';
const UNKNOWN_TYPE = 'card.doctor.unheard_of';
/** Older, or further ahead, than any receiver should let pass. */
const FAR_SECONDS = 10 * 60;
const LARGE_BYTES = 256 * 1024;

function body(id: string, { run }: Signing, members: object = {}, eventType = TYPE): string {
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

/** A delivery of an event of its own, its signature made by `sign` from the genuine one. */
function signed(
  id: string,
  given: Signing,
  sign: (genuine: string, text: string) => string | null,
): Delivery {
  const text = body(id, given);
  return { eventType: TYPE, body: text, signature: sign(signWebhook(text, given.secret, given.now), text) };
}

const genuine = (given: Signing): Delivery => signed('valid', given, signature => signature);

const indented = (id: string, given: Signing) => JSON.stringify(JSON.parse(body(id, given)), null, 2);

/** Another hexadecimal digit in the place of the last. */
function almost(signature: string): string {
  return signature.slice(0, -1) + (signature.endsWith('0') ? '1' : '0');
}

/** The probes, in the order in which they are sent. The first is the genuine delivery. */
export const probes: readonly Probe[] = [
  {
    id: 'valid',
    title: 'genuine',
    expected: 'accept',
    isNeeded: true,
    why: 'What is refused is sent again five times, and then it is lost.',
    delivery: genuine,
  },
  {
    id: 'duplicate',
    title: 'the same event again',
    expected: 'accept',
    isNeeded: true,
    why: 'An answer may get lost, so an event may come twice: acknowledge it, and do nothing the second time.',
    delivery: genuine,
  },
  {
    id: 'spelling',
    title: 'genuine, written with other white space',
    expected: 'accept',
    isNeeded: true,
    why: 'The bytes are signed, not what a parser makes of them.',
    delivery(given) {
      const text = indented('spelling', given).replace('Zoë', 'Zo\\u00eb');
      return { eventType: TYPE, body: text, signature: signWebhook(text, given.secret, given.now) };
    },
  },
  {
    id: 'reserialized',
    title: 'signed over re-serialized JSON',
    expected: 'refuse',
    isNeeded: true,
    why: 'Who parses before verifying runs a parser on bytes from anyone, and checks something else than was sent.',
    delivery(given) {
      const text = indented('reserialized', given);
      const other = JSON.stringify(JSON.parse(text));
      return { eventType: TYPE, body: text, signature: signWebhook(other, given.secret, given.now) };
    },
  },
  {
    id: 'tampered',
    title: 'body changed after signing',
    expected: 'refuse',
    isNeeded: true,
    why: 'Otherwise whoever is on the way decides what the event says.',
    delivery(given) {
      const { signature } = signed('tampered', given, each => each);
      return { eventType: TYPE, body: body('tampered', given, { limit: 9_999_999 }), signature };
    },
  },
  {
    id: 'wrong-secret',
    title: 'signed with another secret',
    expected: 'refuse',
    isNeeded: true,
    why: 'Otherwise anyone can make up events.',
    delivery: given =>
      signed('wrong-secret', given, (_, text) => signWebhook(text, `not-${given.secret}`, given.now)),
  },
  {
    id: 'prefix',
    title: 'signature right but for its end',
    expected: 'refuse',
    isNeeded: true,
    why: 'A comparison of the first characters only lets a forged signature be found by trying.',
    delivery: given => signed('prefix', given, almost),
  },
  {
    id: 'short',
    title: 'signature cut short',
    expected: 'refuse',
    isNeeded: true,
    why: 'A comparison as long as what was sent lets a signature of one digit pass; one that throws ends the process.',
    delivery: given => signed('short', given, signature => signature.slice(0, signature.indexOf('v1=') + 9)),
  },
  {
    id: 'stale',
    title: 'signed 10 minutes ago',
    expected: 'refuse',
    isNeeded: true,
    why: 'Otherwise a recorded delivery can be replayed for ever.',
    delivery: given =>
      signed('stale', given, (_, text) => signWebhook(text, given.secret, given.now - FAR_SECONDS)),
  },
  {
    id: 'future',
    title: 'signed 10 minutes ahead',
    expected: 'refuse',
    isNeeded: true,
    why: 'Otherwise a delivery can be replayed for as long as its time is ahead.',
    delivery: given =>
      signed('future', given, (_, text) => signWebhook(text, given.secret, given.now + FAR_SECONDS)),
  },
  {
    id: 'missing',
    title: 'no signature',
    expected: 'refuse',
    isNeeded: true,
    why: 'Otherwise leaving the header out is all it takes.',
    delivery: given => signed('missing', given, () => null),
  },
  {
    id: 'malformed',
    title: 'signature that is none',
    expected: 'refuse',
    isNeeded: true,
    why: 'Anyone can send any header; it must neither pass nor break anything.',
    delivery: given => signed('malformed', given, () => 't=soon,v1'),
  },
  {
    id: 'unknown-type',
    title: 'genuine, of an unknown type',
    expected: 'accept',
    isNeeded: false,
    why: 'New types may come: what is refused is sent again and again.',
    delivery(given) {
      const text = body('unknown-type', given, {}, UNKNOWN_TYPE);
      return { eventType: UNKNOWN_TYPE, body: text, signature: signWebhook(text, given.secret, given.now) };
    },
  },
  {
    id: 'large',
    title: 'genuine, 256 KiB long',
    expected: 'accept',
    isNeeded: false,
    why: 'Many frameworks refuse bodies over 100 KiB unless told otherwise.',
    delivery(given) {
      const text = body('large', given, { nameOnCard: 'x'.repeat(LARGE_BYTES) });
      return { eventType: TYPE, body: text, signature: signWebhook(text, given.secret, given.now) };
    },
  },
  {
    id: 'slow',
    title: 'genuine, sent slowly',
    expected: 'accept',
    isNeeded: false,
    why: 'Networks are slow at times; a body may come in pieces.',
    isSlow: true,
    delivery: given => signed('slow', given, signature => signature),
  },
];

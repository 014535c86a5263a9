import { colour, printable } from '../output/print.ts';

/** A webhook as it came, and what became of it. */
export interface Received {
  /** The delivery's id; null where the body names none. */
  readonly id: string | null;
  readonly eventType: string | null;
  /** How often this delivery has come, this time included. */
  readonly attempt: number;
  readonly signature: 'valid' | 'invalid' | 'unchecked';
  /** What is wrong with the signature; null when nothing is, or none was checked. */
  readonly problem: string | null;
  /** A status, `hang`, `drop`, or a status after a delay. */
  readonly answer: string;
  readonly path: string;
  /** The JSON of the body, or its text where it is no JSON. */
  readonly body: unknown;
}

/** A webhook as one line of JSON. */
export function jsonReceived(received: Received): string {
  return printable(JSON.stringify({ type: 'webhook', ...received }));
}

/** A webhook for people: what came and how it was answered, then its body. */
export function prettyReceived({
  id,
  eventType,
  attempt,
  signature,
  problem,
  answer,
  body,
}: Received): string {
  const paint = signature === 'valid' ? colour.green : signature === 'invalid' ? colour.red : colour.yellow;
  const head = [
    colour.bold(printable(eventType ?? 'unknown event')),
    colour.dim(printable(id ?? 'without an id')),
    ...(attempt > 1 ? [`attempt ${attempt}`] : []),
    paint(`signature ${signature}${problem === null ? '' : `: ${problem}`}`),
    `-> ${answer}`,
  ].join(' ');
  const text = typeof body === 'string' ? body : JSON.stringify(body, null, 2);
  return [head, ...text.split('\n').map(line => `  ${printable(line)}`)].join('\n');
}

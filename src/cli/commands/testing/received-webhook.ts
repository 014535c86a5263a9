import { colour, printable } from '../../output/print.ts';

/** A webhook that `listen` received, and the response to it. */
export interface ReceivedWebhook {
  /** The delivery's id, or null when the body has none. */
  readonly id: string | null;
  readonly eventType: string | null;
  /** How many times this delivery has arrived, including this time. */
  readonly attempt: number;
  readonly signature: 'valid' | 'invalid' | 'unchecked';
  /** What is wrong with the signature, or null when it is valid or unchecked. */
  readonly problem: string | null;
  /** A status, a status after a delay, `hang` or `drop`. */
  readonly answer: string;
  readonly path: string;
  /** The parsed JSON of the body, or its text when it is not JSON. */
  readonly body: unknown;
}

/** Formats a webhook as one line of JSON. */
export function jsonWebhook(webhook: ReceivedWebhook): string {
  return printable(JSON.stringify({ type: 'webhook', ...webhook }));
}

/** Formats a webhook for people: a line with event, signature and response, then the body. */
export function prettyWebhook(webhook: ReceivedWebhook): string {
  const { id, eventType, attempt, signature, problem, answer, body } = webhook;
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

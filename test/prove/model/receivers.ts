import type { AttemptOutcome, OutgoingWebhook, Transport } from '../../../src/kernel/world/transport.ts';
import { isSigned } from '../../support/receiver.ts';
import type { Delivery } from './state.ts';

const HOOKS = 'https://hooks.example.com/';

/** Where a partner has its events sent. */
export function hookOf(partner: number): string {
  return `${HOOKS}${partner}`;
}

/** Receivers of which each request meets its fate by what it is and when it comes, as often bad as `failing` says. */
export function hooksOf(failing: number) {
  return {
    takes: (
      { partner, type, told, createdAt }: Pick<Delivery, 'partner' | 'type' | 'told' | 'createdAt'>,
      at: number,
    ) => hash(`${partner} ${type} ${told} ${createdAt} ${at}`) % 100 >= failing,
  };
}

/** What the body of an event tells of it, in the words of the model. */
export function readEvent(text: string): Pick<Delivery, 'type' | 'told' | 'createdAt'> {
  const { eventType: type, createdAt, data } = JSON.parse(text);
  const told = data.id ?? String(Math.round(data.available * 100));
  return { type, told, createdAt: Date.parse(createdAt) };
}

/** Carries requests to such receivers, which fail as often as `failing` says then; `now` tells the sandbox time, and `wrong` collects what should not be. */
export function receivers(failing: () => number, now: () => Promise<number>, wrong: string[]): Transport {
  return {
    async send(request: OutgoingWebhook): Promise<AttemptOutcome> {
      const { url, body, headers } = request;
      const event = readEvent(body);
      if (!isSigned(request)) wrong.push(`badly signed: ${body}`);
      if (headers['X-Service-Event'] !== event.type) wrong.push(`badly labelled: ${body}`);
      const isTaken = hooksOf(failing()).takes(
        { ...event, partner: Number(url.slice(HOOKS.length)) },
        await now(),
      );
      const cause = isTaken ? null : 'answered 500';
      return { url, status: isTaken ? 200 : 500, body: 'thanks', cause, durationMs: 0 };
    },
    close: () => undefined,
  };
}

function hash(text: string): number {
  let value = 2_166_136_261;
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 16_777_619);
  }
  value = Math.imul(value ^ (value >>> 15), 2_246_822_507);
  return (value ^ (value >>> 13)) >>> 0;
}

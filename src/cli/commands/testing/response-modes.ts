import type { IncomingMessage, ServerResponse } from 'node:http';
import { InvalidArgumentError } from 'commander';
import { parseDuration } from '../../../kernel/values/duration.ts';

/** How a receiver answers one delivery. */
export type ResponseMode =
  | { readonly kind: 'status'; readonly status: number }
  | { readonly kind: 'slow'; readonly delayMs: number }
  | { readonly kind: 'hang' }
  | { readonly kind: 'drop' };

const RULE =
  'It must be statuses such as 500, hang, drop or slow:3s, with commas between them; the last is repeated.';

/** A flag's value as manners of answering, one for each delivery to come. */
export function responseModes(text: string): readonly ResponseMode[] {
  return text.split(',').map(each => manner(each.trim()));
}

function manner(text: string): ResponseMode {
  if (text === 'hang' || text === 'drop') return { kind: text };
  if (/^[2-5]\d\d$/.test(text)) return { kind: 'status', status: Number(text) };
  const delayMs = parseDuration(/^slow:(.*)$/.exec(text)?.[1] ?? '');
  if (delayMs === null) throw new InvalidArgumentError(RULE);
  return { kind: 'slow', delayMs };
}

/** A manner in the words of the flag. */
export function inWords(manner: ResponseMode): string {
  if (manner.kind === 'status') return String(manner.status);
  return manner.kind === 'slow' ? `200 after ${manner.delayMs} ms` : manner.kind;
}

/** Answers a delivery in a manner. */
export function answerIn(manner: ResponseMode, request: IncomingMessage, response: ServerResponse): void {
  if (manner.kind === 'drop') request.socket.destroy();
  else if (manner.kind === 'status') response.writeHead(manner.status).end();
  else if (manner.kind === 'slow') setTimeout(() => response.writeHead(200).end(), manner.delayMs).unref();
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import { InvalidArgumentError } from 'commander';
import { parseDuration } from '../../../core/values/duration.ts';

/** How a receiver responds to one delivery. */
export type ResponseMode =
  | { readonly kind: 'status'; readonly status: number }
  | { readonly kind: 'slow'; readonly delayMs: number }
  | { readonly kind: 'hang' }
  | { readonly kind: 'drop' };

const RULE =
  'It must be a comma-separated list of statuses such as 500, hang, drop or slow:3s; the last is repeated.';

/** Parses a flag's value as response modes, one per delivery. */
export function responseModes(text: string): readonly ResponseMode[] {
  return text.split(',').map(each => parseMode(each.trim()));
}

function parseMode(text: string): ResponseMode {
  if (text === 'hang' || text === 'drop') return { kind: text };
  if (/^[2-5]\d\d$/.test(text)) return { kind: 'status', status: Number(text) };
  const delayMs = parseDuration(/^slow:(.*)$/.exec(text)?.[1] ?? '');
  if (delayMs === null) throw new InvalidArgumentError(RULE);
  return { kind: 'slow', delayMs };
}

/** Returns a response mode as log lines show it. */
export function modeText(mode: ResponseMode): string {
  if (mode.kind === 'status') return String(mode.status);
  return mode.kind === 'slow' ? `200 after ${mode.delayMs} ms` : mode.kind;
}

/** Responds to a delivery. */
export function respond(mode: ResponseMode, request: IncomingMessage, response: ServerResponse): void {
  if (mode.kind === 'drop') request.socket.destroy();
  else if (mode.kind === 'status') response.writeHead(mode.status).end();
  else if (mode.kind === 'slow') setTimeout(() => response.writeHead(200).end(), mode.delayMs).unref();
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type SandboxProcess, startCli } from '../support/cli-process.ts';
import { listen } from '../support/listen.ts';
import { recordResult, size } from '../support/proof/proof-size.ts';
import { ACME_KEY, GLOBEX_KEY, type Json, newCardholder } from '../support/sandbox.ts';

const SECRET = 'canary-secret-of-the-webhooks';
const LIVE_KEY = 'sk_live_canary0123456789';
const ROUNDS = size(3, 40);
const ROOT = join(import.meta.dirname, '../..');

/** Uses every kind of secret, in the right places and in wrong ones. Returns the bodies of error responses. */
async function useSecrets({ ask }: SandboxProcess, secrets: Set<string>): Promise<string[]> {
  const errors: string[] = [];
  const send = async (...request: Parameters<typeof ask>) => {
    const response = await ask(...request);
    if (response.status >= 400) errors.push(response.text);
    return response.body;
  };
  const { id } = await send('POST', '/v1/partner/cardholders', newCardholder());
  await send('POST', `/v1/partner/cardholders/${id}/kyc`, { cardProgramId: 'prog_everyday' });
  await send('POST', `/_sandbox/cardholders/${id}/kyc/approve`);
  const card = await send('POST', '/v1/partner/cards', { cardholderId: id, cardProgramId: 'prog_everyday' });
  await send('POST', `/v1/partner/cards/${card.id}/activate`);
  await send('POST', '/_sandbox/transactions', { cardId: card.id, amount: 12.5 });
  const { challengeId } = await send('POST', `/_sandbox/cards/${card.id}/3ds`, {});
  const { accessUrl } = await send('POST', `/v1/partner/cards/${card.id}/reveal-html`, { copyPan: true });
  expect((await fetch(accessUrl)).status).toBe(200);
  const { apiKey } = await send('POST', '/_sandbox/partners/partner_globex/keys/rotate');
  const { tables }: Json = await send('GET', '/_sandbox/state');
  const { number } = tables.cardNumbers.find((row: Json) => row.id === card.id);
  const { otp } = tables.challenges.find((row: Json) => row.id === challengeId);
  for (const secret of [apiKey, number, otp]) secrets.add(secret);
  for (const secret of [apiKey, number, LIVE_KEY, SECRET]) {
    // A secret without a known format cannot be distinguished from an ID.
    if (secret !== SECRET) await send('GET', `/v1/partner/cards/${secret}`);
    await send('GET', `/v1/partner/cards?status=active&apiKey=${secret}`);
    await send('POST', '/v1/partner/cards', {
      cardholderId: number,
      secret,
      note: `a ${number} b`,
      token: secret,
    });
    await send('POST', '/v1/partner/cards', undefined, { 'x-service-api-key': LIVE_KEY });
    await send('GET', '/v1/partner/cards', undefined, { 'x-service-api-key': `${apiKey}x` });
  }
  await send('POST', `/_sandbox/3ds/${challengeId}/verify`, { otp });
  return errors;
}

test(
  'keys, secrets, card numbers, CVVs, passcodes and live keys never appear in anything stored or shown',
  async context => {
    const sandbox = await startCli(['--fixtures', 'empty', '--allow-http-webhooks', '--rate-limit', '0']);
    const { ask } = sandbox;
    const { body: types } = await ask('PATCH', '/v1/partner/webhooks/config', {
      // It echoes its requests, so that its responses contain secrets.
      webhookUrl: await listen((request, response) => void request.pipe(response)),
      webhookSecret: SECRET,
      subscribedEvents: ['card.issued', 'card.3ds_otp', 'card.transaction', 'cardholder.created'],
    });
    expect(types.webhookSecret).toBe(SECRET);
    const secrets = new Set([ACME_KEY, GLOBEX_KEY, SECRET, LIVE_KEY]);
    const shown: string[] = [];
    for (let round = 0; round < ROUNDS; round++) shown.push(...(await useSecrets(sandbox, secrets)));
    await ask('POST', '/_sandbox/deliveries/settle');
    const { body: events } = await ask('GET', '/v1/partner/webhooks/events?limit=100');
    for (const { id } of events.data)
      shown.push((await ask('GET', `/v1/partner/webhooks/events/${id}`)).text);
    for (const path of ['requests', 'deliveries', 'cards', 'transactions']) {
      shown.push((await ask('GET', `/_sandbox/${path}`)).text);
    }
    shown.push((await ask('GET', '/openapi.json')).text);
    for (const name of ['openapi.json', 'openapi-control.json']) {
      shown.push(readFileSync(join(ROOT, 'docs', name), 'utf8'));
    }
    // The first line shows the keys on purpose.
    const [, ...log] = sandbox.stdout().split('\n');
    const output = [...shown, ...log, sandbox.stderr()].join('\n');
    expect(log.length).toBeGreaterThan(20 * ROUNDS);
    expect(output).toContain('***');
    for (const secret of secrets) {
      const isNumber = /^\d+$/.test(secret);
      // The decimals of a duration can be the digits of a passcode.
      const number = new RegExp(`(?<!\\d|\\d\\.)${secret}(?!\\d)`);
      const found = isNumber ? number.exec(output) : output.indexOf(secret);
      const around = output
        .slice(Math.max(0, Number(isNumber ? (found as RegExpExecArray | null)?.index : found) - 200))
        .slice(0, 400);
      expect({ secret, hits: found === null || found === -1 ? 0 : around }).toEqual({ secret, hits: 0 });
    }
    // Three digits can appear anywhere; they are a CVV only next to that name.
    expect(output).not.toMatch(/cvv\W{1,6}\d{3}/i);
    recordResult(context, `${secrets.size} secrets, 0 hits`);
  },
  size(60_000, 600_000),
);

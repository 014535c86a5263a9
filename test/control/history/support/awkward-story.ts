import { requestRevealLink, visit } from '../../../support/pages.ts';
import { ACME_KEY, type Json, newCardholder, type TestSandbox } from '../../../support/sandbox.ts';

/** A production key, which nothing may store. */
export const LIVE_KEY = 'sk_live_0123456789abcdef';
/** A webhook secret that a partner chose. */
export const WEBHOOK_SECRET = 'whsec_chosen_by_the_partner';
/** Data of a card that a partner sends by mistake. */
export const LEAKED = { pan: '4242424242424242', cvv: '917', note: 'card 4000 0566 5566 5556' };
/** A text that a scenario, YAML or a shell could take for something else. */
export const ODD_TEXT = `it's \${HOME} $\${x} \${ $(id) \`id\` "q" \\n\n# : {a}\u00e9\u{1f600} %s`;

/** What a story leaves that an export must not show. */
export interface Story {
  readonly passcode: string;
  /** The number and the CVV of the card that was revealed. */
  readonly card: { readonly number: string; readonly cvv: string };
  readonly rotatedKey: string;
}

/** Sends requests to a sandbox with the fixture `starter` whose repetition is not straightforward. */
export async function playAwkwardStory(sandbox: TestSandbox): Promise<Story> {
  const { api, globex, control, origin } = sandbox;
  const raw = (method: string, path: string, body: string | undefined, headers: Record<string, string>) =>
    fetch(origin + path, { method, headers, ...(body !== undefined && { body }) }).catch(() => null);
  const key = { 'x-service-api-key': ACME_KEY };
  const json = { ...key, 'content-type': 'application/json' };

  const cardholder = (await api('POST', '/partner/cardholders', newCardholder({ externalUserId: ODD_TEXT })))
    .body;
  await control('POST', '/clock/advance', { duration: '1h' });
  await api('GET', `/partner/cardholders/${cardholder.id}?x=\${y}`);
  await globex('GET', '/partner/cardholders');
  const { apiKey } = (await control('POST', '/partners/partner_acme/keys/rotate', {})).body;
  const rotated = { 'x-service-api-key': apiKey };
  await api('GET', '/partner/balance', undefined, rotated);
  const added: Json = (await control('POST', '/partners', { name: 'Third' })).body;
  await api('POST', '/partner/cardholders', newCardholder(), { 'x-service-api-key': added.apiKey });
  await api('GET', '/partner/cards', undefined, { 'x-service-api-key': 'sk_test_unknown_key' });
  await api('GET', '/partner/cards', undefined, { 'x-service-api-key': LIVE_KEY });
  await api('POST', '/partner/cardholders', { ...newCardholder(), webhookSecret: LIVE_KEY }, rotated);
  const config = { webhookUrl: 'https://hooks.partner.test/webhooks', webhookSecret: WEBHOOK_SECRET };
  await api('PATCH', '/partner/webhooks/config', config, rotated);
  await api('POST', '/partner/cardholders', { ...newCardholder(), ...LEAKED, pins: [1234] }, rotated);
  await raw('POST', '/v1/partner/cardholders', JSON.stringify(newCardholder(), null, 2), json);
  await raw(
    'POST',
    '/v1/partner/cardholders',
    `{"cvv": "917", "pan": 4242424242424242, "note": "\${", `,
    json,
  );
  await raw('POST', '/v1/partner/cardholders', `it's $(id) \`id\` "q" \\ \n \u00e9`, {
    ...key,
    'content-type': 'text/plain',
  });
  await raw('OPTIONS', '/v1/partner/cards', undefined, {
    origin: 'http://localhost:3000',
    'access-control-request-method': 'POST',
  });
  await raw('HEAD', '/v1/partner/cards', undefined, key);
  await raw('GET', '/v1/partner/cards', undefined, { ...key, 'x-sandbox-fault': 'status=503' });
  await raw('GET', '/v1/partner/cards', undefined, { ...key, 'x-sandbox-fault': 'drop' });
  await raw('DELETE', '/v1/partner/nothing/%24%7Bx%7D', undefined, key);

  const { challengeId } = (await control('POST', '/cards/card_mia_active/3ds', {})).body;
  const passcode = (await control('GET', `/3ds/${challengeId}`)).body.otp;
  await control('POST', `/3ds/${challengeId}/verify`, { otp: passcode === '123456' ? '123457' : '123456' });
  await control('POST', `/3ds/${challengeId}/verify`, { otp: passcode });

  const page = await visit(await requestRevealLink(sandbox, 'card_mia_active'));
  const number = /\d{4}(?: ?\d{4}){3}/.exec(page.text)?.[0] ?? '';
  const cvv = /\b\d{3}\b/.exec(page.text.slice(page.text.search(/cvv/i)))?.[0] ?? '';
  return { passcode, card: { number, cvv }, rotatedKey: apiKey };
}

/** The requests of the journal with their answers, oldest first, without what differs between two processes. */
export async function answersOf({ control, origin }: TestSandbox): Promise<Json[]> {
  const { body } = await control('GET', '/requests');
  return body.reverse().map(({ id, at, method, path, status, refusal, response }: Json) => ({
    id,
    at,
    method,
    path,
    status,
    // An export sends no key where a live key was sent.
    ...(status !== 401 && { refusal, body: response.body.replaceAll(origin, '') }),
  }));
}

import { expect, test } from 'vitest';
import { sendForm, visit } from '../../support/pages.ts';
import type { TestSandbox } from '../../support/sandbox.ts';
import { newCardholder, startSandbox } from '../../support/sandbox.ts';

const PERSON = {
  firstName: 'Mia',
  lastName: 'Wong',
  residenceAddressDetail: 'Am Markt 1',
  postalCode: '53111',
  residenceCity: 'Bonn',
  residenceStateProvince: '',
  residenceCountryCode: 'de',
};

async function opened({ api }: TestSandbox, body: Record<string, unknown> = {}) {
  const session = (await api('POST', '/partner/kyc-sessions', body)).body;
  const status = async () => (await api('GET', `/partner/kyc-sessions/${session.id}`)).body.status;
  return { id: session.id as string, url: session.url as string, status };
}

/** The value of a field of the page. */
const filledIn = (text: string, name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1];

test('the form is filled in with a generated person, always the same for the same session', async () => {
  const sandbox = await startSandbox();
  const { url } = await opened(sandbox, { externalUserId: 'user_7' });
  const first = await visit(url);
  expect(first.status).toBe(200);
  expect(first.headers.get('content-type')).toBe('text/html; charset=utf-8');
  for (const name of Object.keys(PERSON)) expect(filledIn(first.text, name)).toMatch(/./);
  expect(first.text).toContain('Acme asks you to confirm your identity');
  expect(first.text).toContain('user user_7');
  expect(first.text).toContain('<title>Confirm your identity</title>');
  expect(first.text).not.toContain('role="alert"');
  const again = await visit(url);
  expect(filledIn(again.text, 'firstName')).toBe(filledIn(first.text, 'firstName'));
});

test('the form shows the names of a disturbed world, which an approval without an identity would have', async () => {
  const disturbance = [{ id: 'names', people: [{ firstName: 'Zoë', lastName: "O'Neil" }] }];
  const sandbox = await startSandbox({}, { disturbance });
  const { text } = await visit((await opened(sandbox)).url);
  expect(filledIn(text, 'firstName')).toBe('Zoë');
});

test('an approval stores the typed values, without the emptied fields, and the cardholder gets them', async () => {
  const sandbox = await startSandbox();
  const { id, url, status } = await opened(sandbox);
  const reply = await sendForm(url, { ...PERSON, firstName: '  Mia ', decision: 'approve' });
  expect([reply.status, reply.headers.get('location'), reply.text]).toEqual([303, `/kyc/${id}`, '']);
  expect(await status()).toBe('approved');
  const body = newCardholder({ kycSource: 'web', kycSessionId: id, idp1ShareToken: undefined });
  const created = await sandbox.api('POST', '/partner/cardholders', body);
  expect(created).toMatchObject({ status: 201, body: { firstName: 'Mia', lastName: 'Wong' } });
  const shown = await sandbox.control('GET', `/cardholders/${created.body.id}`);
  expect(shown.body.address).toEqual({
    residenceAddressDetail: 'Am Markt 1',
    postalCode: '53111',
    residenceCity: 'Bonn',
    residenceCountryCode: 'DE',
  });
});

test('a rejection does not validate the fields', async () => {
  const sandbox = await startSandbox();
  const { id, url, status } = await opened(sandbox);
  const reply = await sendForm(url, { firstName: '', residenceCountryCode: 'nowhere', decision: 'reject' });
  expect([reply.status, reply.headers.get('location')]).toEqual([303, `/kyc/${id}`]);
  expect(await status()).toBe('rejected');
});

test.each([
  ['https://app.test/done', 'https://app.test/done?'],
  ['http://localhost:3000', 'http://localhost:3000/?'],
  ['https://app.test/done?a=1%202&b=#part', 'https://app.test/done?a=1%202&b=&', '#part'],
  ['https://app.test/done?', 'https://app.test/done?'],
  ['https://app.test/done?kycSessionId=old&b=2&status', 'https://app.test/done?b=2&'],
])('a decision redirects to %s with session and status', async (redirectUrl, before, after = '') => {
  const sandbox = await startSandbox();
  for (const [decision, status] of [
    ['approve', 'approved'],
    ['reject', 'rejected'],
  ] as const) {
    const { id, url } = await opened(sandbox, { redirectUrl });
    const reply = await sendForm(url, { ...PERSON, decision });
    expect(reply.status).toBe(303);
    const location = `${before}kycSessionId=${id}&status=${status}${after}`;
    expect(reply.headers.get('location')).toBe(location);
    expect((await visit(url)).text).toContain(`href="${location.replaceAll('&', '&amp;')}"`);
  }
});

test.each([
  [{ residenceCountryCode: 'Germany' }, 'Country code must be a two-letter country code'],
  [{ residenceCountryCode: 'XX' }, 'Country code must be a two-letter country code'],
  [{ firstName: ' ' }, 'First name is required'],
  [{ lastName: '' }, 'Last name is required'],
])(
  'approving with %j says beside the field what is wrong, and keeps what was typed',
  async (wrong, message) => {
    const sandbox = await startSandbox();
    const { url, status } = await opened(sandbox);
    const { status: code, text } = await sendForm(url, { ...PERSON, ...wrong, decision: 'approve' });
    expect(code).toBe(400);
    const [name = '', typed] = Object.entries(wrong)[0] ?? [];
    expect(text).toMatch(new RegExp(`id="${name}-error">${message}`));
    expect(text).toMatch(new RegExp(`id="${name}"[^>]*aria-invalid="true"[^>]*${name}-error`));
    expect(text.match(/aria-invalid="true"/g)).toHaveLength(1);
    expect(text).toContain('role="alert"');
    for (const [field, value] of Object.entries({ ...PERSON, [name]: typed })) {
      expect([field, filledIn(text, field)]).toEqual([field, value]);
    }
    expect(await status()).toBe('pending');
  },
);

test('the summary of problems links to each field that has one, and to no other', async () => {
  const { url } = await opened(await startSandbox());
  const wrong = { firstName: '', residenceCountryCode: 'XX' };
  const { text } = await sendForm(url, { ...PERSON, ...wrong, decision: 'approve' });
  const targets = [...text.matchAll(/href="#([^"]*)"/g)].map(([, target]) => target);
  expect(targets).toEqual(Object.keys(wrong));
  for (const target of targets) expect(text).toMatch(new RegExp(`<input[^>]* id="${target}"`));
});

test('a form with no or an unknown decision decides nothing', async () => {
  const sandbox = await startSandbox();
  const { url, status } = await opened(sandbox);
  for (const form of [PERSON, { ...PERSON, decision: '' }, { ...PERSON, decision: 'delete' }]) {
    const reply = await sendForm(url, form);
    expect(reply.status).toBe(400);
    expect(reply.text).toContain('Press Approve or Reject');
    expect(filledIn(reply.text, 'residenceCity')).toBe('Bonn');
  }
  expect(await status()).toBe('pending');
});

test('only the first decision on a session counts', async () => {
  const sandbox = await startSandbox();
  const { url, status } = await opened(sandbox);
  const replies = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      sendForm(url, { ...PERSON, decision: index % 2 === 0 ? 'approve' : 'reject' }),
    ),
  );
  expect(replies.map(reply => reply.status).sort()).toEqual([303, ...Array<number>(9).fill(409)]);
  const decided = await status();
  const late = await sendForm(url, { ...PERSON, decision: 'reject' });
  expect(late.text).toContain('It was already decided, so nothing changed.');
  expect(late.text).toContain(`, ${decided}</p>`);
  const shown = await visit(url);
  expect(shown.status).toBe(200);
  expect(shown.text).not.toContain('<form');
  expect(await status()).toBe(decided);
});

test('an expired session and an unknown one have pages of their own', async () => {
  const sandbox = await startSandbox();
  const { url, status } = await opened(sandbox, { redirectUrl: 'https://app.test/' });
  await sandbox.control('POST', '/clock/advance', { duration: '24h' });
  for (const reply of [await visit(url), await sendForm(url, { ...PERSON, decision: 'approve' })]) {
    expect(reply.status).toBe(410);
    expect(reply.text).toContain('This session has expired');
    expect(reply.text).not.toContain('app.test');
  }
  expect(await status()).toBe('expired');
  for (const id of ['kycs_none', '__proto__', '%ff', 'a%2fb']) {
    const reply = await visit(`${sandbox.origin}/kyc/${id}`);
    expect(reply).toMatchObject({ status: 404, text: expect.stringContaining('Session not found') });
    expect((await sendForm(`${sandbox.origin}/kyc/${id}`, { decision: 'approve' })).status).toBe(404);
  }
});

test('user input is escaped', async () => {
  const evil = `"><script>alert(1)</script><img src=x onerror='alert(2)'>`;
  const sandbox = await startSandbox();
  const { url } = await opened(sandbox, {
    externalUserId: evil,
    redirectUrl: `https://app.test/${evil.replaceAll(' ', '')}`,
  });
  const form = Object.fromEntries(Object.keys(PERSON).map(name => [name, evil]));
  const replies = [
    await visit(url),
    await sendForm(url, { ...form, decision: 'approve' }),
    await sendForm(url, { ...form, residenceCountryCode: 'DE', decision: 'approve' }),
    await visit(url),
    await visit(`${sandbox.origin}/kyc/${encodeURIComponent(evil)}`),
    await visit(`${sandbox.origin}/kyc/<script>`),
  ];
  expect(replies.map(({ status }) => status)).toEqual([200, 400, 303, 200, 404, 404]);
  for (const { text } of replies) expect(text).not.toMatch(/<script|<img|"">/i);
});

test('a decision on the page is final for the control plane too', async () => {
  const sandbox = await startSandbox();
  const { id, url } = await opened(sandbox);
  await sendForm(url, { ...PERSON, decision: 'approve' });
  const again = await sandbox.control('POST', `/kyc-sessions/${id}/reject`);
  expect(again).toMatchObject({ status: 400, body: { error: expect.stringContaining('is approved') } });
});

test('HEAD and OPTIONS requests for the page decide nothing', async () => {
  const sandbox = await startSandbox();
  const { url, status } = await opened(sandbox);
  const head = await visit(url, { method: 'HEAD' });
  expect({ status: head.status, text: head.text }).toEqual({ status: 200, text: '' });
  const options = await visit(url, { method: 'OPTIONS' });
  expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, POST, OPTIONS']);
  expect((await visit(url, { method: 'DELETE' })).status).toBe(405);
  expect(await status()).toBe('pending');
});

import { expect, test } from 'vitest';
import { newCardholder, startSandbox } from '../../support/sandbox.ts';

test.each(['created', 'active'] as const)('a new card is %s', async status => {
  const { api, control } = await startSandbox({
    fixtures: ['starter'],
    assume: { 'card-initial-status': status },
  });
  const body = { cardholderId: 'ch_wendy_web', cardProgramId: 'prog_everyday' };
  const issued = await api('POST', '/partner/cards', body);
  expect(issued.body.status).toBe(status);
  const activated = await api('POST', `/partner/cards/${issued.body.id}/activate`);
  expect(activated.status).toBe(status === 'created' ? 200 : 400);
  const shortcut = await control('POST', '/cards/issue', body);
  expect(shortcut.body.status).toBe('active');
});

test.each(['allowed', 'refused'] as const)('KYC after a rejection is %s', async setting => {
  const { api, control } = await startSandbox({ assume: { 'kyc-after-rejection': setting } });
  const token = `idp1_test_reject_${setting}`;
  const { body } = await api('POST', '/partner/cardholders', newCardholder({ idp1ShareToken: token }));
  const submit = () => api('POST', `/partner/cardholders/${body.id}/kyc`, { cardProgramId: 'prog_everyday' });
  expect((await submit()).status).toBe(200);
  await control('POST', '/clock/advance', { duration: '2s' });
  const again = await submit();
  expect(again.status).toBe(setting === 'allowed' ? 200 : 400);
});

test.each(['on', 'off'] as const)('magic share tokens are %s', async setting => {
  const { api, control } = await startSandbox({ assume: { 'magic-tokens': setting } });
  const magic = await api('POST', '/partner/cardholders', newCardholder());
  expect(magic.status).toBe(setting === 'on' ? 201 : 400);
  if (setting === 'off') expect(magic.body.error).not.toContain('magic');
  const { token } = (await control('POST', '/share-tokens', {})).body;
  const minted = await api('POST', '/partner/cardholders', newCardholder({ idp1ShareToken: token }));
  expect(minted.status).toBe(201);
});

test.each([false, true])('copyPan is %s by default', async setting => {
  const { api, origin } = await startSandbox({
    fixtures: ['starter'],
    assume: { 'copy-pan-default': setting },
  });
  const pageFor = async (body: unknown) => {
    const { accessUrl } = (await api('POST', '/partner/cards/card_mia_active/reveal-html', body)).body;
    return (await fetch(new URL(accessUrl).href.replace(new URL(accessUrl).origin, origin))).text();
  };
  expect((await pageFor({})).includes('<button')).toBe(setting);
  expect((await pageFor({ copyPan: !setting })).includes('<button')).toBe(!setting);
});

test.each(['optional', 'required'] as const)('a style sheet is %s', async setting => {
  const { api } = await startSandbox({ fixtures: ['starter'], assume: { 'stylesheet-url': setting } });
  const path = '/partner/cards/card_mia_active/reveal-html';
  const without = await api('POST', path, {});
  expect(without.status).toBe(setting === 'optional' ? 200 : 400);
  if (setting === 'required') expect(without.body.error).toBe('body.stylesheetUrl: is required');
  expect((await api('POST', path, { stylesheetUrl: 'https://example.com/card.css' })).status).toBe(200);
});

import type { VNode } from 'preact';
import { expect, test } from 'vitest';
import type { Form } from '../../src/dashboard/ui/form.tsx';
import { resolveOptions } from '../../src/sandbox/options.ts';
import { createSubmittedCardholder } from '../support/cardholders.ts';
import { newCardholder, startSandbox, type TestSandbox } from '../support/sandbox.ts';
import { openPage, useBrowserGlobals } from './browser-globals.ts';

useBrowserGlobals();

/** Opens a form, and returns it. */
async function formOf(open: () => unknown): Promise<Form> {
  const { OpenDialog } = await import('../../src/dashboard/ui/dialog.tsx');
  await open();
  const content = OpenDialog()?.props.dialog.Content({ close: () => {} });
  if (content === undefined) throw new Error('no form is open');
  // It is that of a form.
  return (content as VNode<{ readonly form: Form }>).props.form;
}

async function viewsOf() {
  const { VIEWS } = await import('../../src/dashboard/views.ts');
  const { pageOf } = await import('../../src/dashboard/ui/view.ts');
  return { all: VIEWS, pages: VIEWS.filter(view => pageOf(view) === view.name) };
}

test('the menu has nine pages, each with a key, and every tab is a view', async () => {
  const { all, pages } = await viewsOf();
  expect(pages.map(({ title }) => title)).toEqual([
    ...['Home', 'Cardholders', 'Cards', 'Transactions', 'Activity', 'Webhooks', 'Time', 'Faults', 'Settings'],
  ]);
  expect(new Set(pages.map(({ key }) => key ?? '')).size).toBe(pages.length);
  const names = all.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const { name, tabs = [] } of all) {
    expect(tabs.length === 0 || tabs.some(each => each.name === name), name).toBe(true);
    expect(names).toEqual(expect.arrayContaining(tabs.map(each => each.name)));
  }
});

test('links to records and to differences lead to views', async () => {
  const names = (await viewsOf()).all.map(({ name }) => name);
  const { viewOfId } = await import('../../src/dashboard/route.ts');
  const { DIFFERENCE_VIEWS } = await import('../../src/dashboard/views/home/home.tsx');
  const ids = ['ch_1', 'card_1', 'txn_1', 'kycs_1', 'evt_1', 'req_1', 'idp1_test_approve_1'];
  expect(ids.map(viewOfId)).toEqual([
    ...['cardholders', 'cards', 'transactions', 'kyc-sessions', 'webhooks', 'activity', 'share-tokens'],
  ]);
  expect(names).toEqual(expect.arrayContaining([...ids.map(viewOfId), ...Object.values(DIFFERENCE_VIEWS)]));
});

test('each button and key of the clock moves it by the same step, at the retry speed of the sandbox', async () => {
  await openPage(await startSandbox({ retrySpeed: 60 }));
  const { advanceSteps } = await import('../../src/dashboard/data/clock.ts');
  expect(advanceSteps.value.map(ms => ms / 1_000)).toEqual([1, 5, 30, 120, 1_440, 86_400]);
  await openPage(await startSandbox({ retrySpeed: 1 }));
  expect(advanceSteps.value.map(ms => ms / 60_000)).toEqual([1, 5, 30, 120, 1_440]);
});

test('the form for a card offers active cardholders whose KYC is approved, and nobody else', async () => {
  const sandbox = await startSandbox({ fixtures: ['starter'] });
  const { openCardForm } = await import('../../src/dashboard/forms/cards.ts');
  const offered = async () => {
    const [field] = (await formOf(() => openCardForm())).fields?.({}) ?? [];
    return field?.choices?.map(([value]) => value) ?? [];
  };
  await openPage(sandbox);
  const [first = ''] = await offered();
  const { kyc, status } = (await sandbox.control('GET', `/cardholders/${first}`)).body;
  expect([kyc.state, status]).toEqual(['approved', 'active']);
  for (const next of ['suspended', 'closed']) {
    await sandbox.control('POST', `/cardholders/${first}/status`, { status: next });
    expect(await offered()).not.toContain(first);
  }
});

/** Sends a request, and opens the form that sends it again. */
async function openResend(sandbox: TestSandbox, send: () => ReturnType<TestSandbox['api']>) {
  const { openResendForm } = await import('../../src/dashboard/forms/requests.ts');
  const id = (await send()).headers.get('x-sandbox-request');
  await openPage(sandbox);
  const { body: row } = await sandbox.control('GET', `/requests/${id}`);
  return formOf(() => openResendForm(row));
}

test('a request is sent again as it was, with a fresh share token, and the new request is opened', async () => {
  const sandbox = await startSandbox();
  const form = await openResend(sandbox, () => sandbox.api('POST', '/partner/cardholders', newCardholder()));
  const initial = Object.fromEntries(
    (form.fields?.({}) ?? []).map(({ name, initial: text }) => [name, text]),
  );
  expect(initial).toMatchObject({ method: 'POST', path: '/partner/cardholders' });
  await form.run({ method: 'POST', path: '/partner/cardholders', body: initial.body ?? '' });
  const [newest] = (await sandbox.control('GET', '/requests')).body;
  // The same external id is re-imported.
  expect(newest).toMatchObject({ status: 200, partnerId: 'partner_acme' });
  expect(location.hash).toBe(`#/activity/${newest.id}`);
});

test('a request is sent again with its query, with the key of the partner that sent it', async () => {
  const sandbox = await startSandbox({ fixtures: ['starter'] });
  const form = await openResend(sandbox, () => sandbox.globex('GET', '/partner/cards?status=active'));
  const fields = form.fields?.({}) ?? [];
  expect(fields.map(({ name }) => name)).toEqual(['method', 'path']);
  await form.run(Object.fromEntries(fields.map(({ name, initial }) => [name, initial])));
  const [newest] = (await sandbox.control('GET', '/requests')).body;
  expect(newest).toMatchObject({ query: 'status=active', status: 200, partnerId: 'partner_globex' });
});

test('the settings show the options that differ from their defaults, each as its flag', async () => {
  const { changedOptions } = await import('../../src/dashboard/views/sandbox/changed-options.ts');
  expect(changedOptions({ ...resolveOptions({}) })).toEqual([]);
  expect(changedOptions({ ...resolveOptions({ freeze: true }) })).toEqual([['--freeze', 'true']]);
  const options = resolveOptions({
    kycDelay: '5s',
    fixtures: ['empty'],
    names: { service: 'acme' },
    retrySpeed: 1,
  });
  expect(changedOptions({ ...options }).toSorted()).toEqual([
    ['--fixtures', '["empty"]'],
    ['--kyc-delay', '5s'],
    ['--names', '{"service":"acme"}'],
    ['--retry-speed', '1'],
  ]);
});

test('an id that no list has is refused where it is typed', async () => {
  await openPage(await startSandbox({ fixtures: ['starter'] }), '#/time');
  const { openRecordForm } = await import('../../src/dashboard/shell/open-by-id.ts');
  const form = await formOf(openRecordForm);
  // There is a program with the last id, which no list shows.
  for (const id of ['what_is_this', 'card_mia', 'kycs_omar', 'tok_ana', 'prog_everyday']) {
    await expect(form.run({ id })).rejects.toThrow(`No record of these kinds has the id ${id}.`);
  }
  expect(location.hash).toBe('#/time');
  await form.run({ id: ' tok_ana_approve ' });
  expect(location.hash).toBe('#/share-tokens/tok_ana_approve');
  await form.run({ id: 'kycs_omar_pending' });
  expect(location.hash).toBe('#/kyc-sessions/kycs_omar_pending');
});

test('a session and a share token are found by their ids, whoever their partner is', async () => {
  const sandbox = await startSandbox({ fixtures: ['starter'] });
  const { token } = (await sandbox.control('POST', '/share-tokens', { partnerId: 'partner_globex' })).body;
  const { id } = (await sandbox.globex('POST', '/partner/kyc-sessions', {})).body;
  await openPage(sandbox);
  const { kycSessions, readRecord, shareTokens } = await import('../../src/dashboard/data/records.ts');
  expect(await readRecord(shareTokens, token)).toMatchObject({ token, partnerId: 'partner_globex' });
  expect(await readRecord(kycSessions, id)).toMatchObject({ id, partnerId: 'partner_globex' });
  expect(await readRecord(kycSessions, id.slice(0, -1))).toBeNull();
});

test('a KYC submission is rejected with a reason, and without one', async () => {
  const sandbox = await startSandbox({ fixtures: ['starter'] });
  await openPage(sandbox);
  const { openRejectionForm } = await import('../../src/dashboard/forms/cardholders.ts');
  for (const [id, reason] of [
    ['ch_nora_in_flight', 'underage'],
    [await createSubmittedCardholder(sandbox), undefined],
  ] as const) {
    const form = await formOf(() => openRejectionForm(`/cardholders/${id}/kyc/reject`));
    await form.run({ reason });
    const { kyc } = (await sandbox.control('GET', `/cardholders/${id}`)).body;
    expect([kyc.state, kyc.reasons]).toEqual(['rejected', reason && [reason]]);
  }
});

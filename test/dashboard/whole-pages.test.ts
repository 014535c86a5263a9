import { expect, onTestFinished, test, vi } from 'vitest';
import { fakeReceiver, subscribe } from '../support/receiver.ts';
import { startSandbox } from '../support/sandbox.ts';
import { openImitated } from './imitated-page.ts';

const PERSON = {
  ...{ externalUserId: 'user-lena', email: 'lena@example.com', phoneNumber: '+4915112345679' },
  ...{ kycSource: 'idp1', idp1ShareToken: 'idp1_test_approve_lena' },
};

/** Starts a sandbox in which something of each kind has happened. */
async function startUsed() {
  const { transport } = fakeReceiver(({ event }) => (event.eventType === 'card.issued' ? 500 : 204));
  const sandbox = await startSandbox({ fixtures: ['starter'] }, { transport });
  const control = async (path: string, body: object = {}) => {
    const { status, body: answer } = await sandbox.control('POST', path, body);
    expect(status, JSON.stringify(answer)).toBeLessThan(300);
  };
  await subscribe(sandbox);
  await sandbox.api('POST', '/partner/cardholders', PERSON);
  await sandbox.api('GET', '/partner/cards?status=thawed');
  await control('/cards/issue', { cardholderId: 'ch_ada_api' });
  await control('/transactions', { cardId: 'card_mia_active', amount: 12.5 });
  await control('/transactions', { cardId: 'card_mia_travel', amount: 3 });
  await control('/transactions', { cardId: 'card_mia_active', amount: 300, type: 'cash' });
  await control('/deliveries/settle');
  await control('/checkpoints/before');
  await control('/faults', { method: 'GET', path: '/partner/cards', status: 503, times: 2 });
  await control('/webhook-faults', { kind: 'duplicate', times: 2 });
  return sandbox;
}

test('every page, open record and form shows what the sandbox has', async () => {
  const sandbox = await startUsed();
  const newest = async (list: string, match = '') =>
    (await sandbox.control('GET', list)).body.find((row: object) => JSON.stringify(row).includes(match))?.id;
  const page = await openImitated(sandbox);
  const texts = [page.described('nav'), page.described('.stage > header'), page.described('.clock-bar')];
  const classes = new Map<string, number>();
  const countClasses = () => {
    for (const { classList } of page.window.document.querySelectorAll('[class]'))
      for (const name of classList) classes.set(name, (classes.get(name) ?? 0) + 1);
  };
  /** Reads a place: the list or page, or the record that is open, and the forms that its buttons open. */
  const read = async (place: string, ...forms: string[]) => {
    await page.go(place);
    expect(page.window.document.body.innerHTML.match(/\b(?:undefined|NaN)\b|\[object/)).toBeNull();
    const part = place.split('/').length > 2 ? '.detail' : '#main';
    texts.push(`=== ${place}\n${page.described(part)}`);
    countClasses();
    for (const form of forms) {
      await page.press(form, part);
      countClasses();
      texts.push(`--- ${form}\n${page.described('dialog')}`);
      await page.press('Close', 'dialog');
    }
  };
  await read('#/home', 'Reject');
  await read('#/cardholders?state=rejected', 'Create cardholder');
  await read('#/cardholders/ch_mia_approved', 'Re-import');
  await read('#/cardholders/ch_nora_in_flight', 'Reject KYC');
  await read(`#/cardholders/${await newest('/cardholders', 'user-liam')}`, 'Submit KYC');
  await read('#/share-tokens', 'Issue share token');
  await read('#/share-tokens/tok_ana_approve', 'Create cardholder');
  await read('#/kyc-sessions', 'Open session');
  await read('#/kyc-sessions/kycs_omar_pending', 'Reject');
  await read('#/cards', 'Issue card');
  await read('#/cards/card_mia_active', 'Authorize', 'Cancel card');
  await read('#/transactions', 'Top up');
  await read('#/transactions/txn_mia_open', 'Settle', 'Increment', 'Reverse');
  await read(`#/transactions/${await newest('/transactions', '"declineDetail":{')}`);
  await read('#/activity');
  await read(`#/activity/${await newest('/requests', '"status":400')}`);
  await read(`#/activity/${await newest('/requests', '"status":201')}`, 'Edit and send again');
  await read('#/webhooks', 'Trigger event');
  await read(`#/webhooks/${await newest('/deliveries', 'card.issued')}`);
  await read('#/webhook-settings', 'Edit configuration', 'Edit forwarding');
  await read('#/time', 'Save checkpoint', 'Restore before', 'Delete before');
  await read('#/faults', 'Set a fault');
  await read('#/settings', 'Rotate key', 'Edit settings');
  await read('#/nothing');
  await read('#/cards/card_none');
  const counts = [...classes].map(([name, count]) => `${name} ${count}`).sort();
  texts.push(`=== Classes of all that was read\n${counts.join('\n')}`);
  await expect(texts.join('\n\n')).toMatchFileSnapshot('pages/starter.txt');
});

test('a story shows its cover, each of its steps and its end, and its keys go on and back', async () => {
  const sandbox = await startSandbox();
  const page = await openImitated(sandbox, '/dashboard/present');
  const texts = [`=== list\n${page.described('#app')}`];
  await page.key('1');
  // The list waits for another digit.
  await expect.poll(() => page.text('.presenter-foot')).toContain('[0 of 19]');
  const { length } = (await sandbox.control('GET', '/stories/kyc-reimport')).body.steps;
  for (let step = 0; step <= length; step += 1) {
    texts.push(`=== ${step}\n${page.described('#app')}`);
    expect(page.window.document.querySelector('dl:empty')).toBeNull();
    await page.key('ArrowRight');
  }
  texts.push(`=== end\n${page.described('#app')}`);
  // The world of a story begins now, and its names are its own.
  const text = texts
    .join('\n\n')
    .replace(/\d{4}-\d\d-\d\d[ T][\d:.]+Z?/g, 'MOMENT')
    .replace(/-[0-9a-f]{6}\b/g, '-SUFFIX');
  await expect(text).toMatchFileSnapshot('pages/kyc-reimport.txt');
  const shown = () => page.text('.presenter-foot').match(/\[(\d+) of/)?.[1];
  for (const [key, step] of [
    ['ArrowLeft', length],
    ['PageUp', length - 1],
  ] as const) {
    await page.key(key);
    expect(shown()).toBe(String(step));
  }
  await page.key('g');
  await page.press('3 Acme imports Zoe', 'dialog');
  expect(shown()).toBe('3');
  expect(page.window.document.querySelector('dialog')).toBeNull();
});

test('each button asks for what it says', async () => {
  const sandbox = await startUsed();
  const page = await openImitated(sandbox);
  const texts: string[] = [];
  /** Presses a button of a place, and the one of the form that it opens, and writes down what the page asks for. */
  const act = async (place: string, button: string, ...inForm: string[]) => {
    await page.go(place);
    await page.press(button, place.split('/').length > 2 ? '.detail .actions' : '#app');
    const forms: string[] = [];
    for (const each of inForm) {
      forms.push(`${page.described('dialog footer')}\n`);
      await page.press(each, 'dialog');
    }
    const head = `=== ${place}: ${[button, ...inForm].join(', ')}\n`;
    texts.push(`${head}${forms.join('')}${page.changes()}\n${page.window.location.hash}`);
  };
  const failed = (await sandbox.control('GET', '/deliveries')).body.at(-2);
  const request = (await sandbox.control('GET', '/requests')).body[1];
  await act('#/home', 'Approve');
  await act('#/home', 'Advance 5 s');
  await act('#/home', 'Run to the next timer');
  await act('#/home', 'Undo the advance to 2026-03-15 10:00:06');
  await act('#/cards/card_mia_active', 'Authorize', 'Authorize');
  await act(page.window.location.hash, 'Reverse', 'Reverse');
  await act('#/cards/card_mia_active', 'Reveal');
  await act('#/cards/card_mia_active', '3DS', 'Verify');
  await act('#/cards/card_mia_active', 'Cancel card', 'Cancel card');
  await act('#/cards', 'Issue card', 'Issue card');
  await act(page.window.location.hash, 'Activate');
  await act('#/transactions', 'Top up', 'Top up');
  await act('#/transactions/txn_mia_open', 'Increment', 'Increment');
  await act('#/cardholders/ch_mia_approved', 'Suspend');
  await act('#/cardholders/ch_mia_approved', 'Close', 'Close cardholder');
  await act('#/share-tokens', 'Issue share token', 'Issue share token');
  await act('#/transactions/txn_mia_open', 'Settle', 'Settle');
  await act('#/kyc-sessions', 'Open session', 'Open session');
  await act(page.window.location.hash, 'Reject', 'Reject');
  await act('#/kyc-sessions/kycs_omar_pending', 'Approve');
  await act(`#/webhooks/${failed.id}`, 'Redeliver');
  await act('#/webhooks', 'Trigger event', 'Trigger');
  await act('#/webhook-settings', 'Edit configuration', 'Save');
  await act('#/webhook-settings', 'Edit configuration', 'Select none', 'Save');
  await act('#/webhook-settings', 'Edit forwarding', 'Save');
  await act('#/webhook-settings', 'Use default');
  await act('#/settings', 'Rotate key', 'Rotate key');
  await act('#/settings', 'Edit settings', 'Save');
  await act(`#/activity/${request.id}`, 'Edit and send again', 'Send');
  await act(`#/activity/${request.id}`, 'Go back to before this', 'Undo 38 entries');
  await act('#/time', 'Save checkpoint', 'Save');
  await act('#/time', 'Restore before', 'Restore');
  await act('#/time', 'Delete before', 'Delete');
  await act('#/time', 'Run to here: Authorization expiry of txn_mia_open');
  await page.go('#/faults');
  for (const preset of page.window.document.querySelectorAll('.preset'))
    await act('#/faults', preset.textContent);
  await act('#/home', 'Reset', 'Reset');
  await expect(texts.join('\n\n')).toMatchFileSnapshot('pages/buttons.txt');
});

test('keys lead to every page, move the clock and open forms', async () => {
  const page = await openImitated(await startSandbox({ fixtures: ['starter'] }));
  const reached: string[] = [];
  for (const key of 'pctawifsh') {
    await page.key('g');
    await page.key(key);
    reached.push(page.text('h1').replace(/ \d.*/, ''));
  }
  const pages = [
    'Cardholders',
    'Cards',
    'Transactions',
    'Activity',
    'Webhooks',
    'Time',
    'Faults',
    'Settings Acme',
    'Acme',
  ];
  expect(reached).toEqual(pages);
  for (const [key, title] of [
    ['m', 'Issue a share token'],
    ['n', 'Create a cardholder'],
    ['i', 'Open a record'],
    ['?', 'Keyboard shortcuts'],
  ] as const) {
    await page.key(key);
    expect(page.text('dialog')).toMatch(new RegExp(`^${title.replace('?', '')}`));
    await page.press('Close', 'dialog');
  }
  await page.key('#', { code: 'Digit3', shiftKey: true });
  await page.key('Z', { code: 'KeyZ', shiftKey: true });
  await expect.poll(() => page.text('.clock-now')).toContain('10:00:30 UTC running');
});

test('g waits for the key of a page, however shortly after another g', async () => {
  const { window, key } = await openImitated(await startSandbox());
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  await key('g');
  await key('c');
  vi.advanceTimersByTime(1_400);
  await key('g');
  vi.advanceTimersByTime(200);
  await key('t');
  expect(window.location.hash).toBe('#/transactions');
  await key('g');
  vi.advanceTimersByTime(1_500);
  await key('c');
  expect(window.location.hash).toBe('#/transactions');
});

test('faults of the API and of webhooks are set by a form, removed, and brought back', async () => {
  const page = await openImitated(await startSandbox());
  await page.go('#/faults');
  const shown = (text: string) => expect.poll(() => page.text('#main')).toContain(text);
  await page.press('Set a fault');
  await page.fill('Response status optional', '418');
  await page.fill('Path optional', '/partner/balance');
  await page.fill('How many times optional', '2');
  await page.press('Set fault', 'dialog');
  await shown('status 418 · on /partner/balance · 2 times, 0 so far');
  await page.press('Set a fault');
  await page.fill('Of', '/webhook-faults');
  await page.fill('Kind', 'delay');
  await page.fill('Event optional', 'card.issued');
  await page.fill('Delay in ms', '3000');
  await page.press('Set fault', 'dialog');
  await shown('webhook: delay · 3 s late · on card.issued · until removed, 0 so far');
  await page.press('Remove status 418 · on /partner/balance · 2 times, 0 so far');
  await page.press('Remove webhook: delay · 3 s late · on card.issued · until removed, 0 so far');
  await shown('None. The sandbox behaves as it should.');
  expect(page.text('.toasts')).toContain('Fault removed 2 times');
  await page.press('Undo', '.toasts');
  await shown('webhook: delay');
  await shown('status 418');
});

test('the last three toasts are shown, and one that is shown again is counted', async () => {
  const page = await openImitated(await startSandbox());
  await page.go('#/faults');
  const presets = ['Rate limited', 'Slow', 'Dropped', 'Lost response', 'Slow'];
  for (const title of presets) {
    const buttons = [...page.window.document.querySelectorAll('.preset')];
    await page.press(buttons.find(each => each.textContent.startsWith(title))?.textContent ?? title);
  }
  const shown = [...page.window.document.querySelectorAll('.toast p')].map(each => each.textContent.trim());
  expect(shown).toEqual([
    'Fault set: the next connection is closed',
    'Fault set: the next request is processed, its response is lost',
    'Fault set: every request takes 2 s 2 times',
  ]);
});

test('faults that are set again act as often as they had left, and used up ones stay away', async () => {
  const sandbox = await startSandbox();
  const page = await openImitated(sandbox);
  const statuses = async (calls: number) => {
    const found: number[] = [];
    while (found.length < calls) found.push((await sandbox.api('GET', '/partner/balance')).status);
    return found;
  };
  for (const [status, times] of [
    [500, 2],
    [503, 4],
  ])
    await sandbox.control('POST', '/faults', { status, times });
  expect(await statuses(3)).toEqual([500, 500, 503]);
  await page.go('#/faults');
  await expect.poll(() => page.text('#main')).toContain('4 times, 1 so far');
  await page.press('Clear all', '#main');
  await page.press('Undo', '.toasts');
  await expect.poll(async () => (await sandbox.control('GET', '/faults')).body.length).toBe(1);
  expect(await statuses(4)).toEqual([503, 503, 503, 200]);
  await expect.poll(() => page.text('#main')).toContain('used up after 3 times');
  await page.press('Clear all', '#main');
  expect(page.text('.toasts')).toMatch(/Faults cleared\n\[Dismiss/);
});

test('the first steps of an empty world lead to a payment, each with its curl command', async () => {
  const page = await openImitated(await startSandbox());
  const texts = [page.described('#main')];
  const steps: [title: string, button: string, inForm?: string][] = [
    ['Issue a share token', 'Issue share token', 'Issue share token'],
    ['Create a cardholder', 'Create cardholder', 'Create cardholder'],
    ['Submit the KYC', 'Submit KYC', 'Submit KYC'],
    ['Let the provider decide', 'Advance 2 s'],
    ['Issue a card', 'Issue card', 'Issue card'],
    ['Activate the card', 'Activate'],
  ];
  for (const [title, button, inForm] of steps) {
    await page.press(button, '.first-steps');
    if (inForm !== undefined) await page.press(inForm, 'dialog');
    await page.go('#/home');
    await expect.poll(() => page.text('.first-steps')).toContain(`${title} (done)`);
    texts.push(`=== ${title}\n${page.described('.first-steps')}`);
  }
  await page.press('Authorize', '.first-steps');
  await page.press('Authorize', 'dialog');
  await expect.poll(() => page.text('#app')).toContain('authorized');
  await expect(texts.join('\n\n')).toMatchFileSnapshot('pages/first-steps.txt');
});

test('a cardholder is created with the share token that was issued before, as a first step and from the token', async () => {
  const page = await openImitated(await startSandbox());
  const create = async (place: string, token: string) => {
    await page.press('Create cardholder', place);
    page.changes();
    await page.press('Create cardholder', 'dialog');
    expect(page.changes()).toContain(`"kycSource":"idp1","idp1ShareToken":"${token}"} -> 201`);
  };
  const issue = async (place: string) => {
    await page.press('Issue share token', place);
    await page.press('Issue share token', 'dialog');
    return page.window.location.hash.replace('#/share-tokens/', '');
  };
  const first = await issue('.first-steps');
  await page.go('#/home');
  await create('.first-steps', first);
  await page.go('#/share-tokens');
  await create('.detail', await issue('#main'));
});

test('a request is copied as a curl command that sends the same, with a body only where it had one', async () => {
  const sandbox = await startSandbox({ fixtures: ['starter'] });
  const page = await openImitated(sandbox);
  await sandbox.api('GET', '/partner/cards?status=active');
  await sandbox.api('POST', '/partner/cards/card_mia_active/freeze');
  await sandbox.api('POST', '/partner/kyc-sessions', { externalUserId: "o'hara" });
  const copied: string[] = [];
  for (const { id } of (await sandbox.control('GET', '/requests')).body) {
    await page.go(`#/activity/${id}`);
    await page.press('Copy as curl', '.detail');
    copied.push((await page.window.navigator.clipboard.readText()).replace(sandbox.origin, 'ORIGIN'));
  }
  expect(copied.join('\n')).toMatchInlineSnapshot(`
    "curl -i -X POST 'ORIGIN/v1/partner/kyc-sessions' \\
      -H 'x-service-api-key: sk_test_acme_0123456789abcdef' \\
      -H 'content-type: application/json' \\
      -d '{"externalUserId":"o'\\''hara"}'
    curl -i -X POST 'ORIGIN/v1/partner/cards/card_mia_active/freeze' \\
      -H 'x-service-api-key: sk_test_acme_0123456789abcdef'
    curl -i -X GET 'ORIGIN/v1/partner/cards?status=active' \\
      -H 'x-service-api-key: sk_test_acme_0123456789abcdef'"
  `);
});

test('requests before a reset stand in the history as they were, and lead back to before them', async () => {
  const sandbox = await startSandbox({ fixtures: ['starter'] });
  await sandbox.api('GET', '/partner/balance');
  await sandbox.control('POST', '/reset');
  await sandbox.api('GET', '/partner/cards?limit=7');
  const page = await openImitated(sandbox);
  await page.go('#/activity?control=shown');
  const calls = page.text('#main').replaceAll('/ ', '/').replaceAll(' ?', '?');
  expect(calls.match(/(?:GET|POST) \S+/g)).toEqual([
    'GET /v1/partner/cards?limit=7',
    'POST /_sandbox/reset',
    'GET /v1/partner/balance',
  ]);
  await page.go('#/activity/ent_1?control=shown');
  await page.press('Go back to before this', '.detail');
  expect(page.text('dialog')).toContain('Undoes 3 entries');
  await page.press('Undo 3 entries', 'dialog');
  expect((await sandbox.control('GET', '/history')).body).toEqual([]);
});

test('the configuration of webhooks shows a forwarding that a command has set, and restores the default with a way back', async () => {
  const sandbox = await startSandbox();
  const page = await openImitated(sandbox);
  await page.go('#/webhook-settings');
  expect(page.text('#main')).toContain('Forwarded to\n–');
  const forwarding = {
    url: 'http://127.0.0.1:23500/x',
    map: { 'https://a.example': 'http://127.0.0.1:9' },
    allowHttp: true,
  };
  await sandbox.control('PUT', '/forwarding', forwarding);
  await page.go('#/home');
  await page.go('#/webhook-settings');
  await expect.poll(() => page.text('#main')).toContain('Forwarded to\nhttp://HOST/x');
  expect(page.text('#main')).toContain('URL\nhttp://HOST/x');
  await page.press('Use default');
  expect((await sandbox.control('GET', '/forwarding')).body.url).toBeNull();
  await page.press('Undo', '.toasts');
  expect((await sandbox.control('GET', '/forwarding')).body).toMatchObject(forwarding);
});

test('where magic tokens are off, no form, curl command or repeated request has one', async () => {
  const sandbox = await startSandbox({ fixtures: ['empty'], assume: { 'magic-tokens': 'off' } });
  const page = await openImitated(sandbox);
  await page.press('Copy as curl', '.first-steps li:nth-child(2)');
  expect(await page.window.navigator.clipboard.readText()).toContain('"idp1ShareToken":"SHARE_TOKEN"');
  await page.go('#/cardholders');
  await page.press('Create cardholder', '#main');
  expect(page.text('dialog')).toContain('Share token\n[]\nOne that has been issued and not used.');
  await page.press('Close', 'dialog');
  await page.go('#/share-tokens');
  await page.press('Issue share token', '#main');
  await page.press('Issue share token', 'dialog');
  await page.go('#/cardholders');
  await page.press('Create cardholder', '#main');
  await page.press('Create cardholder', 'dialog');
  await expect.poll(() => page.text('.detail')).toContain('KYC source\nidp1');
  await page.go(`#/activity/${(await sandbox.control('GET', '/requests')).body[0].id}`);
  await page.press('Edit and send again', '.detail');
  expect(page.text('dialog')).toContain('The journal masks secrets as ***. Replace them.');
  expect(page.text('dialog')).not.toContain('_test_approve_');
});

test('in an empty world a session is approved, a cardholder comes from it, and a card for one who is added on the spot', async () => {
  const page = await openImitated(await startSandbox());
  await page.go('#/kyc-sessions');
  await page.press('Open session', '#main');
  await page.press('Open session', 'dialog');
  await page.press('Approve', '.detail');
  await expect.poll(() => page.text('.detail')).toContain('Create cardholder');
  await page.press('Create cardholder', '.detail');
  await page.press('Create cardholder', 'dialog');
  await expect.poll(() => page.text('.detail')).toContain('KYC source\nweb');
  await page.go('#/cards');
  await page.press('Issue card', '#main');
  await page.press('Issue card', 'dialog');
  await expect.poll(() => page.text('.detail')).toContain('created');
});

test('a session of another world leads to the hosted page of that world', async () => {
  const sandbox = await startSandbox();
  await sandbox.control('POST', '/worlds', { id: 'blue', fixtures: ['starter'] });
  const page = await openImitated(sandbox, '/dashboard/blue#/kyc-sessions/kycs_omar_pending');
  expect(page.text('.detail .actions')).toContain('</kyc/kycs_omar_pending?world=blue>');
});

test('a form says why it was refused, and leads to what it made', async () => {
  const sandbox = await startSandbox({ fixtures: ['starter'] });
  const page = await openImitated(sandbox);
  await page.go('#/cardholders');
  await page.press('Create cardholder', '#main');
  await page.fill('Phone number', '12');
  await page.press('Create cardholder', 'dialog');
  expect(page.text('dialog [role=alert]')).toContain('body.phoneNumber');
  await page.fill('Phone number', '+33612345678');
  await page.press('Create cardholder', 'dialog');
  const [{ id, externalUserId }] = (await sandbox.control('GET', '/cardholders?limit=1')).body;
  expect([page.window.location.hash, externalUserId]).toEqual([`#/cardholders/${id}`, 'user-012345']);
  expect(page.window.document.querySelector('dialog')).toBeNull();
  expect(page.text('.detail')).toContain('KYC not submitted');
  // The new request appears without being asked for.
  await page.go('#/activity');
  await expect.poll(() => page.text('.browse-list')).toContain('201 POST / v1/ partner/ cardholders');
});

test('an advance before a reset cannot be undone', async () => {
  const sandbox = await startSandbox();
  await sandbox.control('POST', '/clock/advance', { duration: '1h' });
  const page = await openImitated(sandbox, '#/home');
  expect(page.text('body')).toContain('Undo the advance to 2026-03-15 11:00:00');
  await sandbox.control('POST', '/reset');
  await expect.poll(() => page.text('body'), { timeout: 5_000 }).not.toContain('Undo the advance to');
});

test('a button acts at once, says so, and its Undo takes it back', async () => {
  const sandbox = await startSandbox({ fixtures: ['starter'] });
  const page = await openImitated(sandbox);
  await page.go('#/cards/card_mia_active');
  await sandbox.control('POST', '/faults', { status: 503, times: 1 });
  await page.press('Freeze card', '.detail');
  const [refused] = (await sandbox.control('GET', '/requests')).body;
  expect(page.text('.toasts')).toContain(`Why <#/activity/${refused.id}>`);
  await sandbox.control('DELETE', '/faults');
  await page.press(/\[(Dismiss.*?)\]/.exec(page.text('.toasts'))?.[1] ?? '');
  await page.press('Freeze card', '.detail');
  await expect.poll(() => page.text('.detail')).toContain('frozen');
  expect((await sandbox.control('GET', '/cards/card_mia_active')).body.status).toBe('frozen');
  await page.press('Advance 30 s');
  await expect.poll(() => page.text('.clock-now')).toContain('10:00:30');
  expect(page.described('.toasts')).toMatch(/^\{role=status aria-live=polite\}/);
  expect(page.text('.toasts')).toMatch(/^Card frozen\n.*\nClock advanced by 30 s/);
  await page.press('Undo the advance to 2026-03-15 10:00:30');
  await expect.poll(() => page.text('.clock-now')).toContain('10:00:00');
  await page.press('Unfreeze', '.detail');
  await expect.poll(() => page.text('.detail')).toContain('active');
  await page.go('#/faults');
  await page.press('Slowevery request takes 2 s');
  await expect.poll(() => page.text('#main')).toContain('[Clear all]');
  await page.press('Clear all', '#main');
  await page.press('Undo', '.toasts');
  expect((await sandbox.control('GET', '/faults')).body).toMatchObject([{ delayMs: 2_000 }]);
});

test('a page without its token asks for it, and a page of a world that is no more says so', async () => {
  const sandbox = await startSandbox({}, {}, { requireToken: true, controlToken: 'right-token' });
  const page = await openImitated(sandbox);
  await page.press('Close', 'dialog');
  await page.press('Enter the token');
  await page.fill('Token', 'wrong-token');
  await page.press('Use this token');
  expect(page.text('dialog [role=alert]')).toContain('token');
  await page.fill('Token', 'right-token');
  await page.press('Use this token');
  await expect.poll(() => page.text('h1')).toBe('Acme');
  const other = await openImitated(await startSandbox(), '/dashboard/ended');
  await expect.poll(() => other.text('h1')).toBe('There is no world called ended');
  expect(other.window.document.querySelector('.clock-bar')).toBeNull();
});

test('a presenter that asked for the token stays at its address, and its curl commands send the token', async () => {
  const sandbox = await startSandbox({}, {}, { requireToken: true, controlToken: 'right-token' });
  const page = await openImitated(sandbox, '/dashboard/present/hotel');
  expect(page.text('#app')).not.toContain('Authorization');
  await page.fill('Token', 'right-token');
  await page.press('Use this token');
  await expect.poll(() => page.text('h1')).toBe('Three nights in a hotel');
  expect(page.window.location.pathname).toBe('/dashboard/present/hotel');
  for (const key of ['ArrowRight', 'd']) await page.key(key);
  expect(page.text('.scene-curl')).toContain('-H "authorization: Bearer $CARD_SANDBOX_CONTROL_TOKEN"');
});

test('a button of a form or of the clock acts once at a time, and is not disabled, which would take the focus', async () => {
  const page = await openImitated(await startSandbox());
  await page.go('#/transactions');
  await page.press('Top up', '#main');
  const disabled: unknown[] = [];
  const { document, MutationObserver } = page.window;
  const observer = new MutationObserver(
    changes => void disabled.push(...changes.map(({ target }) => target)),
  );
  for (const [selector, name] of [
    ['dialog', 'Top up'],
    ['.segments', 'Advance 1 s'],
  ] as const) {
    const button = document.querySelector(`${selector} :is([type=submit], button)`);
    observer.observe(button as never, { attributes: true, attributeFilter: ['disabled'] });
    await Promise.all([page.press(name, selector), page.press(name, selector)]);
    expect([page.changes().split('\n').length, disabled]).toEqual([1, []]);
  }
});

test('the focus of a button that goes is handed on: to the open record, or to the page', async () => {
  const sandbox = await startSandbox({ fixtures: ['starter'] });
  await sandbox.control('POST', '/faults', { status: 503, method: 'GET' });
  const page = await openImitated(sandbox);
  const { document } = page.window;
  for (const [place, name, next] of [
    ['#/cards/card_mia_active', 'Freeze card', 'detail'],
    ['#/faults', 'Clear all', 'main'],
  ] as const) {
    await page.go(place);
    const buttons = [...document.querySelectorAll('#main button')] as unknown as HTMLElement[];
    const button = buttons.find(each => each.textContent === name);
    button?.focus();
    await page.press(name, '#main');
    await expect.poll(() => button?.isConnected).toBe(false);
    expect(document.activeElement?.matches(`.${next}, #${next}`)).toBe(true);
  }
});

test('what is not known is not called none', async () => {
  const sandbox = await startSandbox({}, {}, { requireToken: true, controlToken: 'right-token' });
  const page = await openImitated(sandbox);
  await page.go('#/faults');
  expect(page.text('.section')).toBe('Set now\n…');
  await page.go('#/time');
  expect(page.text('h1')).toBe('Time …');
  expect(page.text('.timers')).toMatch(/^…/);
});

test('a page that is opened while the sandbox is gone says so, whatever it shows', async () => {
  const ends: (() => Promise<void> | void)[] = [];
  const page = await openImitated(await startSandbox({}, {}, {}, end => void ends.push(end)));
  for (const end of ends) await end();
  await expect.poll(() => page.text('body')).toContain('Connection lost');
  const pages = ['cards', 'activity', 'webhooks', 'webhook-settings', 'time', 'faults', 'settings'];
  const silent: string[] = [];
  for (const each of pages) {
    await page.go(`#/${each}`);
    const isSaid = page.text('#main').includes('The sandbox does not respond.');
    if (!isSaid || page.text('h1') === '') silent.push(each);
  }
  expect(silent).toEqual([]);
});

test('a token in the address is read in a page that is open, too, and one that is not encoded as it is', async () => {
  const sandbox = await startSandbox({}, {}, { requireToken: true, controlToken: 'right%token' });
  const page = await openImitated(sandbox, '/dashboard#token=%E0%A4%A');
  expect(page.text('dialog')).toContain('Control token');
  const reloaded = new Promise<void>(resolve => {
    Object.assign(page.window.location, { reload: resolve });
  });
  await page.go('#token=right%token');
  await reloaded;
  const again = await openImitated(sandbox, `/dashboard${page.window.location.hash}`);
  await expect.poll(() => again.text('h1')).toBe('Acme');
  expect(again.window.location.hash).toBe('');
});

test('the strip of a story has the person that it is about, and marks whose server changes', async () => {
  const page = await openImitated(await startSandbox(), '/dashboard/present/errors-of-the-service');
  expect(page.text('h1')).toBe('The service fails');
  for (const key of ['5', 'Enter']) await page.key(key);
  await expect.poll(() => page.text('h1')).toBe("Acme's server breaks down");
  const { document } = page.window;
  expect(page.text('.strip')).toMatch(/^Cleo\nCleo's bank\nAcme\n/);
  expect([...document.querySelectorAll('.strip .active')].map(each => each.textContent)).toEqual(['Acme']);
});

test('a story whose world ends says so in words for an audience', async () => {
  const sandbox = await startSandbox();
  await sandbox.control('POST', '/worlds', { id: 'blue' });
  const page = await openImitated(sandbox, '/dashboard/blue/present/kyc-reimport');
  await sandbox.control('DELETE', '/worlds/blue');
  await page.key('ArrowRight');
  await expect.poll(() => page.text('#app')).toContain('This world has ended.');
  expect(page.text('#app')).not.toContain('--world-ttl');
});

test('a story shows the card by a path of its own host, which stays open behind the details', async () => {
  const sandbox = await startSandbox();
  const page = await openImitated(sandbox, '/dashboard/present/card-lifecycle');
  const frame = () => page.window.document.querySelector('iframe');
  while (frame() === null && !page.text('.presenter-next').includes('End')) await page.key('ArrowRight');
  const opened = frame();
  expect(opened?.getAttribute('src')).toMatch(/^\/reveal\/[^/]+\?/);
  await page.key('d');
  expect(page.text('.traffic')).toContain('accessUrl');
  expect([frame(), opened?.hidden]).toEqual([opened, true]);
  await page.key('d');
  expect([frame(), opened?.hidden]).toEqual([opened, false]);
  const other = await openImitated(sandbox, '/dashboard/present/card-lifecycle');
  await expect.poll(() => other.text('.traffic')).toContain('The card page opened once');
  await other.key('d');
  expect(other.window.document.querySelector('.traffic p[hidden]')?.textContent).toContain('once');
});

test('a form refuses an amount that would be rounded on its way, as the API refuses its text', async () => {
  const sandbox = await startSandbox({ fixtures: ['starter'] });
  const page = await openImitated(sandbox);
  await page.go('#/transactions');
  await page.press('Top up', '#main');
  for (const text of ['99.999999999999999', '1.000', '0.001']) {
    await page.fill('Amount', text);
    await page.press('Top up', 'dialog');
    expect(page.text('dialog [role=alert]')).toBe('Amount: must have at most two decimals, such as 24.90.');
  }
  expect(page.changes()).toBe('');
  await page.fill('Amount', '24.90');
  await page.press('Top up', 'dialog');
  expect(page.changes()).toContain('"amount":24.9,');
});

test('where the API counts in hundredths, a card is issued with the limits that the form shows', async () => {
  const sandbox = await startSandbox({ fixtures: ['starter'], assume: { 'amount-unit': 'minor' } });
  const page = await openImitated(sandbox);
  await page.go('#/cardholders/ch_mia_approved');
  await page.press('Issue card', '.detail');
  await page.fill('Total limit optional', '50');
  await page.fill('Daily limit for sales optional', '20.50');
  await page.press('Issue card', 'dialog');
  const [card] = (await sandbox.control('GET', '/cards?limit=1')).body;
  expect(card).toMatchObject({ status: 'created', limit: 50, spendControl: { sales: { daily: 20.5 } } });
  expect(page.window.location.hash).toBe(`#/cards/${card.id}`);
});

test('where the API has only what is documented, a card comes from the control plane, and no button is refused', async () => {
  const sandbox = await startSandbox({ fixtures: ['starter'], documentedOnly: true });
  const page = await openImitated(sandbox);
  await page.go('#/cardholders/ch_mia_approved');
  await page.press('Issue card', '.detail');
  await page.press('Issue card', 'dialog');
  await expect.poll(() => page.text('.detail')).toContain('active');
  expect(page.text('.detail')).toContain('[Authorize] [Reveal] [3DS]\nWith --documented-only the API has no');
});

test('Home shows what needs attention before the first payment, too, and what differs, live', async () => {
  const { transport } = fakeReceiver(() => 500);
  const sandbox = await startSandbox({}, { transport });
  await subscribe(sandbox);
  await sandbox.api('POST', '/partner/cardholders', PERSON);
  await sandbox.control('POST', '/faults', { status: 503 });
  await sandbox.control('POST', '/clock/advance', { duration: '40h' });
  const page = await openImitated(sandbox);
  expect(page.text('#main')).toMatch(
    /Send cardholder.created again[^\n]*(?<!:) failed.*First steps.*Different from the start/s,
  );
  expect(page.text('.differences')).toMatch(/clock.*<#\/time>.*fault.*<#\/faults>/is);
  await sandbox.control('POST', '/partners', { name: 'Hasty' });
  await expect.poll(() => page.text('.differences')).toContain('The partner Hasty was added.');
});

test.each(['manual', 'reject'])('the first steps go on where the provider decides %s', async outcome => {
  const sandbox = await startSandbox();
  const page = await openImitated(sandbox);
  const token = `idp1_test_${outcome}_lena`;
  const { id } = (await sandbox.api('POST', '/partner/cardholders', { ...PERSON, idp1ShareToken: token }))
    .body;
  await sandbox.api('POST', `/partner/cardholders/${id}/kyc`, { cardProgramId: 'prog_everyday' });
  const shown = (text: string) => expect.poll(() => page.text('.first-steps')).toContain(text);
  await shown(`The outcome of its identity is ${outcome}`);
  if (outcome === 'reject') {
    await page.press('Advance 5 s');
    await shown('The provider rejected it.');
    await page.press('Submit KYC', '.first-steps');
    await page.press('Submit KYC', 'dialog');
    await shown(`The outcome of its identity is ${outcome}`);
  }
  await page.press('Approve KYC', '.first-steps');
  await shown('Let the provider decide (done)');
});

test('going back undoes what was confirmed, asks again when there is more by then, and says how much it undid', async () => {
  const sandbox = await startSandbox({ fixtures: ['starter'] });
  const { headers } = await sandbox.api('GET', '/partner/balance');
  const page = await openImitated(sandbox);
  await page.go(`#/activity/${headers.get('x-sandbox-request')}`);
  await page.press('Go back to before this', '.detail');
  await sandbox.api('GET', '/partner/cards');
  await page.press('Undo 1 entry', 'dialog');
  expect(page.changes()).toBe('');
  expect(page.text('dialog')).toContain('Entries were added while this form was open');
  await sandbox.api('GET', '/partner/cards');
  await page.press('Undo 2 entries', 'dialog');
  expect(page.text('.toasts')).toContain('Undid 3 entries');
  expect((await sandbox.control('GET', '/history')).body).toEqual([]);
});

test('where a stylesheet is required, the card is revealed with the one that a form asks for', async () => {
  const sandbox = await startSandbox({ fixtures: ['starter'], assume: { 'stylesheet-url': 'required' } });
  const page = await openImitated(sandbox);
  await page.go('#/cards/card_mia_active');
  await page.press('Reveal', '.detail');
  await page.fill('Stylesheet URL', 'https://app.example/card.css');
  await page.press('Reveal', 'dialog');
  expect(page.changes()).toMatch(/reveal-html .*"stylesheetUrl":"https:\/\/app.example\/card.css".* -> 200/);
  expect(page.window.document.querySelector('dialog iframe')?.getAttribute('src')).toMatch(/^\/reveal\//);
});

test('a card that the allowed origins keep out of a frame is offered in a tab, with the reason', async () => {
  const sandbox = await startSandbox({ fixtures: ['starter'] });
  const allow = (...allowedOrigins: string[]) =>
    sandbox.control('PATCH', '/partners/partner_acme/settings', { allowedOrigins });
  await allow('https://app.example');
  const page = await openImitated(sandbox);
  await page.go('#/cards/card_mia_active');
  await page.press('Reveal', '.detail');
  expect(page.text('dialog')).toContain('The allowed origins of this partner do not include ORIGIN');
  expect(page.text('dialog')).toMatch(/Open in a tab <\/reveal\//);
  expect(page.window.document.querySelector('iframe')).toBeNull();
  await page.press('Close', 'dialog');
  await allow('https://app.example', sandbox.origin);
  await page.press('Reveal', '.detail');
  expect(page.window.document.querySelector('dialog iframe')).not.toBeNull();
});

test('the notes follow the window that opened them to the next story, and are empty beside the list', async () => {
  const sandbox = await startSandbox();
  await sandbox.control('POST', '/stories/hotel/steps', { to: 1 });
  const place = { pathname: '/dashboard/present/fuel' };
  vi.stubGlobal('window', { opener: { closed: false, location: place } });
  const page = await openImitated(sandbox, '/dashboard/present/fuel?notes');
  place.pathname = '/dashboard/present/hotel';
  await expect.poll(() => page.text('.notes-window'), { timeout: 5_000 }).toMatch(/^1 of/);
  expect(page.window.location.pathname).toBe('/dashboard/present/hotel');
  expect(await page.key('ArrowRight')).toBe(false);
  place.pathname = '/dashboard/present';
  await expect.poll(() => page.text('.notes-window'), { timeout: 5_000 }).toBe('Notes');
});

test('a button whose call runs takes no second click', async () => {
  const sandbox = await startSandbox({ fixtures: ['starter'] });
  const page = await openImitated(sandbox);
  await page.go('#/cards/card_mia_active');
  await Promise.all([page.press('3DS', '.detail'), page.press('3DS', '.detail')]);
  expect(page.changes().match(/POST/g)).toHaveLength(1);
  await page.press('Close', 'dialog');
  await page.press('3DS', '.detail');
  expect(page.changes()).toContain('3ds');
});

test('a closed cardholder is offered nothing that is refused', async () => {
  const sandbox = await startSandbox({ fixtures: ['starter'] });
  const { id } = (await sandbox.api('POST', '/partner/cardholders', PERSON)).body;
  await sandbox.control('POST', `/cardholders/${id}/status`, { status: 'closed' });
  const page = await openImitated(sandbox);
  await page.go(`#/cardholders/${id}`);
  expect(page.text('.detail')).toContain('closed');
  expect(page.text('.detail')).not.toMatch(/Submit KYC|Re-import|Reactivate/);
});

test('a request is sent again only to a path that begins with a slash', async () => {
  const sandbox = await startSandbox({ fixtures: ['starter'] });
  const { headers } = await sandbox.api('GET', '/partner/balance');
  const page = await openImitated(sandbox);
  await page.go(`#/activity/${headers.get('x-sandbox-request')}`);
  await page.press('Edit and send again', '.detail');
  await page.fill('Path below /v1', 'partner/cards');
  await page.press('Send', 'dialog');
  expect(page.text('dialog [role=alert]')).toContain('must begin with a slash');
  expect((await sandbox.control('GET', '/requests')).body).toHaveLength(1);
});

test('a HEAD request is sent again as one', async () => {
  const sandbox = await startSandbox();
  await sandbox.api('HEAD', '/partner/balance');
  const page = await openImitated(sandbox);
  await page.go(`#/activity/${(await sandbox.control('GET', '/requests')).body[0].id}`);
  await page.press('Edit and send again', '.detail');
  expect(page.text('dialog')).toContain('Method\n[HEAD, GET,');
  await page.press('Send', 'dialog');
  expect(page.changes()).toBe('HEAD /v1/partner/balance  -> 200');
});

test('an event that is triggered is opened, with the focus', async () => {
  const sandbox = await startSandbox({ fixtures: ['starter'] }, { transport: fakeReceiver().transport });
  await subscribe(sandbox);
  const page = await openImitated(sandbox);
  await page.go('#/webhooks');
  const { document } = page.window;
  const focused: (string | undefined)[] = [];
  document.addEventListener('focusin', () => focused.push(document.activeElement?.className));
  await page.press('Trigger event', '#main');
  await page.press('Trigger', 'dialog');
  await expect.poll(() => page.window.location.hash).toMatch(/evt_/);
  await expect.poll(() => focused).toContain('detail');
});

test('the long response of a receiver is shown without colors, which would block the page', async () => {
  const { transport } = fakeReceiver();
  const body = JSON.stringify(Array(20_000).fill(1));
  const send: typeof transport.send = async (...of) => ({ ...(await transport.send(...of)), body });
  const sandbox = await startSandbox({}, { transport: { ...transport, send } });
  await subscribe(sandbox);
  const { id } = (await sandbox.control('POST', '/events', { eventType: 'card.issued' })).body;
  await sandbox.control('POST', '/deliveries/settle');
  const page = await openImitated(sandbox);
  await page.go(`#/webhooks/${id}`);
  const [payload, response] = page.window.document.querySelectorAll('.detail .json');
  expect(payload?.children.length).toBeGreaterThan(10);
  expect(response?.children.length).toBe(0);
});

test('a download that fails says why, and saves nothing', async () => {
  const sandbox = await startSandbox();
  const { headers } = await sandbox.api('GET', '/partner/balance');
  const page = await openImitated(sandbox);
  await page.go(`#/activity/${headers.get('x-sandbox-request')}`);
  await sandbox.control('POST', '/rewind', { steps: 1 });
  await page.press('Save as record', '.detail');
  expect(page.text('.toasts')).toMatch(/^no history entry with id/);
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', (target: string, init?: RequestInit) =>
    target.endsWith('/state') ? Promise.reject(new TypeError('fetch failed')) : fetch(target, init),
  );
  await page.go('#/time');
  await page.press('Download state');
  expect(page.text('.toasts')).toContain('The sandbox does not respond.');
  expect(page.text('.toasts')).not.toContain('Saved');
});

test('the presenter reads each step aloud in one place, and says that a typed number leads nowhere', async () => {
  const page = await openImitated(await startSandbox(), '/dashboard/present');
  await page.key('0');
  await page.key('Enter');
  expect(page.text('.presenter-message')).toMatch(/^There is no story 0\. The last one is \d+\.$/);
  await page.key('1');
  await page.key('Enter');
  await page.key('ArrowRight');
  const region = page.window.document.querySelector('.step [aria-live]');
  const first = region?.textContent;
  await page.key('ArrowRight');
  expect(page.window.document.querySelector('.step [aria-live]')).toBe(region);
  expect(region?.textContent).not.toBe(first);
  for (const key of ['9', '9', 'Enter']) await page.key(key);
  expect(page.text('.presenter-message')).toMatch(/^There is no step 99\. The last one is \d+\.$/);
  await page.key('ArrowRight');
  expect(page.text('.presenter-message')).toBe('');
});

test('an old link to a story leads to the list, and back to where it was followed', async () => {
  const page = await openImitated(await startSandbox(), '/dashboard/present/error-flows');
  await expect.poll(() => page.window.location.pathname).toBe('/dashboard/present');
  expect(page.text('h1')).toBe('Stories');
  expect(page.window.history.length).toBe(1);
});

test('a digit that is typed as soon as the list of stories is shown opens its story', async () => {
  const page = await openImitated(await startSandbox(), '/dashboard/present/fuel');
  const { document, KeyboardEvent, MutationObserver } = page.window;
  const observer = new MutationObserver(() => {
    if (document.querySelector('.all-stories a') === null) return;
    observer.disconnect();
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '1', bubbles: true }));
  });
  observer.observe(document.body, { childList: true, subtree: true });
  await page.press('Leave');
  await expect.poll(() => page.text('h1'), { timeout: 5_000 }).toBe('A corrected identity');
});

test('keys that wait for another one are forgotten when the story is left by a click', async () => {
  const page = await openImitated(await startSandbox(), '/dashboard/present/fuel');
  await page.key('ArrowRight');
  for (const key of ['1', 'r']) {
    await page.key(key);
    await page.press('Leave');
    await page.key('2');
    await expect.poll(() => page.text('.presenter-foot'), { timeout: 5_000 }).toContain('[0 of');
    await page.key('ArrowRight');
    await page.key('r');
    expect(page.text('.presenter-message')).toBe('Press r again to begin again.');
  }
});

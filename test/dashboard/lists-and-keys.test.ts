import { expect, test, vi } from 'vitest';
import { fixtureFile } from '../sandbox/fixtures/fixture-files.ts';
import { serveHere } from '../support/cli-in-process.ts';
import { type Json, startSandbox } from '../support/sandbox.ts';
import { type KeyOptions, openImitated } from './imitated-page.ts';

test('keys select the rows of a list, enter the open record and close it', async () => {
  const sandbox = await startSandbox({ fixtures: ['starter'] });
  const { body } = await sandbox.control(
    'GET',
    '/transactions?partnerId=partner_acme&status=settled&limit=50',
  );
  const ids: string[] = body.map(({ id }: Json) => id);
  const page = await openImitated(sandbox);
  const { document, location } = page.window;
  await page.go('#/transactions?state=settled');
  for (const [key, row] of [
    ...([
      ['j', 0],
      ['ArrowDown', 1],
      ['j', 2],
      ['k', 1],
      ['ArrowUp', 0],
      ['k', 0],
    ] as const),
    ...([
      ['End', -1],
      ['ArrowDown', -1],
      ['Home', 0],
    ] as const),
  ]) {
    expect(await page.key(key)).toBe(true);
    expect([key, location.hash]).toEqual([key, `#/transactions/${ids.at(row)}?state=settled`]);
    expect(document.querySelector('[aria-selected=true]')?.id).toBe(
      document.activeElement?.getAttribute('aria-activedescendant'),
    );
  }
  await page.key('Enter');
  expect(document.activeElement?.className).toBe('detail');
  await page.key('Escape');
  expect(location.hash).toBe('#/transactions?state=settled');
  for (const [key, options] of [
    ['/', {}],
    ['k', { ctrlKey: true }],
  ] as const) {
    (document.activeElement as unknown as HTMLElement).blur();
    expect(await page.key(key, options)).toBe(true);
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Search transactions');
    await page.key('j');
    expect(location.hash).toBe('#/transactions?state=settled');
  }
  await page.key('ArrowDown');
  expect(location.hash).toBe(`#/transactions/${ids[0]}?state=settled`);
});

test('keys with a modifier are left to the browser, and keys beside an open dialog have no effect', async () => {
  const sandbox = await startSandbox({ fixtures: ['starter'] });
  const page = await openImitated(sandbox, '/dashboard#/transactions');
  const { document, location } = page.window;
  const pressAll = async (options: KeyOptions) => {
    for (const key of ['j', 'ArrowDown', 'm', '?', '/', 'g', 'c'])
      expect([key, await page.key(key, options)]).toEqual([key, false]);
    expect(location.hash).toBe('#/transactions');
    expect(document.activeElement?.matches('[data-search]')).toBe(false);
  };
  for (const modifier of ['altKey', 'ctrlKey', 'metaKey']) {
    await pressAll({ [modifier]: true });
    expect(document.querySelector('dialog[open]')).toBeNull();
  }
  expect(await page.key('K', { ctrlKey: true, shiftKey: true })).toBe(false);
  await page.key('?');
  document.querySelector('dialog')?.focus();
  await pressAll({});
  expect(await page.key('k', { ctrlKey: true })).toBe(false);
  expect(document.querySelectorAll('dialog[open]')).toHaveLength(1);
});

test('a list is searched, filtered and paged, each in the address and from the first page on', async () => {
  const file = fixtureFile('cardholders: [{ generate: 120, externalUserId: crowd, kycStatus: approved }]');
  const sandbox = await startSandbox({ fixtures: ['empty', file] });
  const [newest] = (await sandbox.control('GET', '/cardholders?limit=1')).body;
  const page = await openImitated(sandbox);
  const { location } = page.window;
  const shown = async (hash: string, text: RegExp) => {
    await expect.poll(() => page.text('.browse-list')).toMatch(text);
    expect(location.hash).toBe(`#/cardholders${hash}`);
  };
  await page.go('#/cardholders');
  await shown('', /^Cardholders 120\n.*\n1–50 of 120 \[Newer, disabled\]\nPage \[1\] of 3\n\[Older\]$/s);
  await page.press('Older');
  await shown('?page=2', /\n51–100 of 120 \[Newer\]\nPage \[2\] of 3\n\[Older\]$/);
  await page.fill('Page number', '7.9');
  await shown('?page=3', /\n101–120 of 120 \[Newer\]\nPage \[3\] of 3\n\[Older, disabled\]$/);
  await page.press('Newer');
  await page.press('Newer');
  await shown('', /\n1–50 of 120/);
  await page.fill('Page number', '0');
  await shown('', /\n1–50 of 120/);
  await page.fill('Page number', '2');
  await page.fill('Page number', '1');
  await shown('', /\n1–50 of 120/);
  await page.fill('Page number', '3');
  await page.fill('State', 'rejected');
  await shown('?state=rejected', /^Cardholders 0 of 120\n.*No cardholder matches/s);
  await page.fill('State', '');
  await page.fill('Page number', '2');
  await page.fill('Search cardholders', ` ${newest.id} `);
  await shown(`?q=${newest.id}`, /^Cardholders 1 of 120\n.*\[Search again\]/s);
  await page.go('#/cardholders?page=9');
  await shown('?page=9', /\nNo rows of 120 \[Newer\]/);
});

test('the rows of a page are selected by a click, and the record is closed by its button', async () => {
  const page = await openImitated(await startSandbox({ fixtures: ['starter'] }));
  const { document, location } = page.window;
  await page.go('#/cards?state=frozen');
  (document.querySelector('.row') as unknown as HTMLElement).click();
  await expect.poll(() => page.text('.detail')).toContain('frozen');
  expect(location.hash).toMatch(/^#\/cards\/card_\w+\?state=frozen$/);
  await page.press('Close', '.detail');
  expect(location.hash).toBe('#/cards?state=frozen');
});

test('the choices above a page change the partner, the world and the theme', async () => {
  const sandbox = await startSandbox({ fixtures: ['starter'] });
  await sandbox.control('POST', '/worlds', { id: 'blue' });
  const page = await openImitated(sandbox, '/dashboard?partner=partner_acme');
  const { document, location } = page.window;
  await page.go('#/settings');
  await page.press('Show API key', '#main');
  expect(page.text('#main')).toContain('sk_test_acme_0123456789abcdef');
  await page.fill('Partner', 'partner_globex');
  expect(page.text('#main')).toContain('sk_test_•');
  await page.go('#/cards');
  expect(location.search + location.hash).toBe('?partner=partner_globex#/cards');
  const { body } = await sandbox.control('GET', '/cards?partnerId=partner_globex');
  await expect.poll(() => page.text('h1')).toBe(`Cards ${body.length}`);
  const themes: (string | undefined)[] = [];
  for (const name of ['auto', 'light', 'dark']) {
    await page.press(`Theme: ${name}`);
    themes.push(document.documentElement.dataset.theme);
  }
  expect(themes).toEqual(['light', 'dark', 'auto']);
  const assign = vi.spyOn(location, 'assign').mockReturnValue();
  await page.fill('World', 'blue');
  await page.key('p');
  expect(assign.mock.calls).toEqual([
    ['/dashboard/blue?partner=partner_globex#/cards'],
    ['/dashboard/present?partner=partner_globex'],
  ]);
});

test('the menu of a narrow window opens, and closes with the page that it leads to or beside it', async () => {
  const page = await openImitated(await startSandbox());
  const { document } = page.window;
  const isOpen = () => document.querySelector('.sidebar.open') !== null;
  await page.press('Menu');
  expect(isOpen()).toBe(true);
  await page.press('Close the menu');
  expect(isOpen()).toBe(false);
  await page.press('Menu');
  await page.press('Cards', 'nav');
  expect(isOpen()).toBe(false);
  await page.press('Skip to content');
  expect(document.activeElement?.id).toBe('main');
});

test('requests are filtered by operation, status and partner, and grouped by their refusal', async () => {
  const sandbox = await startSandbox({ fixtures: ['starter'] });
  await sandbox.api('GET', '/partner/cards?status=thawed');
  const { headers } = await sandbox.api('GET', '/partner/cards?status=melted');
  await sandbox.api('GET', '/partner/usage/records?page=0');
  await sandbox.api('GET', '/partner/balance');
  await sandbox.globex('GET', '/partner/balance');
  await sandbox.globex('GET', '/partner/cards?status=thawed');
  await sandbox.control('POST', '/clock/advance', { duration: '1s' });
  const page = await openImitated(sandbox);
  await page.go('#/activity');
  const shows = (...calls: string[]) => {
    const rows = [...page.window.document.querySelectorAll('.row .main')];
    expect(rows.map(row => row.textContent.replace(/.*\/(?=.)/, ''))).toEqual(calls);
  };
  const own = ['balance', 'records?page=0', 'cards?status=melted', 'cards?status=thawed'];
  shows(...own);
  await page.fill('Status', '2xx');
  shows('balance');
  await page.press('All partners');
  shows('balance', 'balance');
  await page.press('Clear filters');
  await page.fill('Operation', 'cards.list');
  shows('cards?status=melted', 'cards?status=thawed');
  await page.press('Clear filters');
  await page.go(`#/activity/${headers.get('x-sandbox-request')}`);
  await page.press('2 requests with this refusal', '.detail');
  shows('cards?status=melted', 'cards?status=thawed');
  await page.press('Clear filters');
  await page.press('Control calls');
  shows('advance', ...own);
  await page.press('Control calls');
  await page.press('Group errors');
  expect(page.text('.browse-list')).toMatch(/^Grouped errors/);
  await page.press('Clear filters');
  await page.fill('Search activity', ' CARDS?status=thaw');
  await expect.poll(() => page.text('h1')).toBe('Activity 1 of 4');
  shows('cards?status=thawed');
  await sandbox.control('POST', '/reset');
  await page.go('#/activity');
  await expect.poll(() => page.text('.browse-list')).toContain('No requests yet');
});

test('keys of a story blank the screen, show the details and the notes, and leave it for the list and the dashboard', async () => {
  const page = await openImitated(await startSandbox(), '/dashboard/present/fuel?partner=partner_acme');
  const { document, location } = page.window;
  const open = vi.fn();
  vi.stubGlobal('window', { open });
  const has = (selector: string) => document.querySelector(selector) !== null;
  const step = () => page.text('.presenter-foot').match(/\[(\d+) of/)?.[1];
  for (const key of ['b', '.']) {
    expect(await page.key(key)).toBe(true);
    expect([key, has('.presenter-blank')]).toEqual([key, true]);
    expect(await page.key('ArrowRight')).toBe(true);
    expect([key, has('.presenter-blank')]).toEqual([key, false]);
  }
  await page.key('ArrowRight');
  await expect.poll(step, { timeout: 5_000 }).toBe('1');
  for (const key of ['r', 'r']) await page.key(key);
  expect([await page.key('x'), await page.key('ArrowRight', { repeat: true }), step()]).toEqual([
    false,
    true,
    '0',
  ]);
  for (const key of ['1', '2', 'Enter', 'ArrowLeft', '3', 'Enter', ' ', 'Backspace', 'd']) {
    await page.key(key, { ctrlKey: true });
    await page.key(key);
  }
  expect([step(), has('.presenter.detailed')]).toEqual(['3', true]);
  await page.press('Copy', '.traffic');
  expect(page.text('.traffic')).toContain('[Copied]');
  expect(document.querySelectorAll('li.active')).toHaveLength(2);
  expect(await page.window.navigator.clipboard.readText()).toMatch(
    /^curl -i -X POST .*\/_sandbox\/worlds\/\w/,
  );
  await page.key('n');
  expect(open).toHaveBeenCalledExactlyOnceWith(
    '/dashboard/present/fuel?partner=partner_acme&notes',
    ...[expect.any(String), expect.any(String)],
  );
  document.querySelector('button')?.focus();
  await page.key(' ');
  expect(step()).toBe('3');
  const themes: (string | undefined)[] = [];
  const turnTheme = async () => {
    await page.key('t');
    themes.push(document.documentElement.dataset.theme);
  };
  await turnTheme();
  await page.key('Escape');
  expect(page.text('h1')).toBe('Stories');
  (document.querySelector('.all-stories a') as unknown as HTMLElement).click();
  await expect.poll(() => page.text('.presenter-foot')).toContain('[0 of');
  await page.key('Escape');
  await turnTheme();
  expect(themes).toEqual(['light', 'dark']);
  const assign = vi.spyOn(location, 'assign').mockReturnValue();
  await page.key('Escape');
  expect(assign.mock.calls).toEqual([['/dashboard?partner=partner_acme']]);
});

test('a step of a story that differs says how, and the key after its end opens the next story', async () => {
  const differences = 'body: { a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7 }';
  const file = fixtureFile(
    `name: Mine\nsteps:\n  - request: GET /partner/balance\n    repeat: 2\n    expect: { ${differences} }`,
  );
  const { url, ask } = await serveHere(['--freeze', '--scenarios', file]);
  const { body } = await ask('GET', '/_sandbox/stories');
  const ids: string[] = body.map(({ id }: Json) => id);
  const page = await openImitated({ origin: url }, `/dashboard/present/${ids[0]}`);
  await page.key('ArrowRight');
  expect(page.text('.presenter-problem')).toMatch(/^Not as expected\nbody\.a: expected 1, got nothing\n/);
  expect(page.text('.traffic')).toContain('GET / v1/ partner/ balance 2 times');
  const short = page.text('.presenter-problem');
  expect(short).toMatch(/\[Show \d more differences?\]$/);
  await page.press(/\[(Show.*)\]$/.exec(short)?.[1] ?? '');
  expect(page.text('.presenter-problem')).toMatch(/body\.g: expected 7, got nothing$/);
  await page.key('ArrowRight');
  expect(page.text('.presenter-foot')).toContain('Next story');
  // In another tab.
  await ask('POST', `/_sandbox/stories/${ids[0]}/steps`, { to: 0 });
  await expect.poll(() => page.text('.presenter-foot')).not.toContain('Next story');
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight']) await page.key(key);
  expect(page.window.location.pathname).toBe(`/dashboard/present/${ids[1]}`);
});

test('Enter in a choice of a form sends it', async () => {
  const page = await openImitated(await startSandbox({ fixtures: ['starter'] }));
  await page.go('#/cards');
  await page.press('Issue card', '#main');
  (page.window.document.querySelector('dialog select') as unknown as HTMLElement).focus();
  expect(await page.key('ArrowDown')).toBe(false);
  expect(await page.key('Enter')).toBe(true);
  expect(page.changes()).toMatch(/^POST \/v1\/partner\/cards .* -> 201$/);
});

test('a fault says all that it does, where and how often', async () => {
  const sandbox = await startSandbox();
  for (const fault of [
    { status: 500, body: { error: 'mine' }, method: 'GET' },
    { drop: true, when: 'after', times: 1 },
    { delayMs: 2_000, method: 'GET', path: '/partner/cards', after: 2, times: 3 },
    { delayMs: 1_500, after: 1 },
  ])
    await sandbox.control('POST', '/faults', fault);
  const page = await openImitated(sandbox, '/dashboard#/faults');
  const texts = [...page.window.document.querySelectorAll('.fault-text')].map(each => each.textContent);
  expect(texts).toEqual([
    'status 500 · custom body · on GET · until removed, 0 so far',
    'connection dropped · after the request is processed · 1 time, 0 so far',
    '2 s late · on GET /partner/cards · skips 2 requests · 3 times, 0 so far',
    '1,500 ms late · skips 1 request · until removed, 0 so far',
  ]);
});

test('the list of stories of a world that has ended says so', async () => {
  const sandbox = await startSandbox();
  await sandbox.control('POST', '/worlds', { id: 'blue' });
  const page = await openImitated(sandbox, '/dashboard/blue/present');
  await expect.poll(() => page.text('.presenter')).toContain('A corrected identity');
  await sandbox.control('DELETE', '/worlds/blue');
  await expect.poll(() => page.text('.presenter')).toContain('This world has ended.');
});

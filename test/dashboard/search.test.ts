import type { ComponentChildren, VNode } from 'preact';
import { expect, test } from 'vitest';
import type { RecordList } from '../../src/dashboard/data/records.ts';
import type { JournalEntry } from '../../src/dashboard/data/response-types.ts';
import type { Column } from '../../src/dashboard/ui/list.tsx';
import { fakeReceiver, subscribe } from '../support/receiver.ts';
import { type Json, startSandbox } from '../support/sandbox.ts';
import { openPage, useBrowserGlobals } from './browser-globals.ts';

useBrowserGlobals();

/** What nearly every record has somewhere, so that a search for it says nothing. */
const MIN_LENGTH = 4;

/** Returns the text that a part of a row shows. Its components have no state. */
function textOf(node: ComponentChildren): string {
  if (Array.isArray(node)) return node.map(textOf).join('');
  if (typeof node !== 'object' || node === null || !('type' in node)) return String(node ?? '');
  const { type, props } = node as VNode<{ children?: ComponentChildren }>;
  return textOf(typeof type === 'function' ? (type as (given: object) => VNode)(props) : props.children);
}

/** Returns the texts of a cell: of two lines, each is one. */
function linesOf(cell: ComponentChildren): string[] {
  const { main, sub } = (cell as VNode<{ main?: ComponentChildren; sub?: ComponentChildren }>)?.props ?? {};
  return main === undefined ? [textOf(cell)] : [textOf(main), textOf(sub)];
}

test('a search finds a record by every text that its row shows', async () => {
  const sandbox = await startSandbox({ fixtures: ['starter'] }, { transport: fakeReceiver().transport });
  await subscribe(sandbox);
  await sandbox.control('POST', '/events', { eventType: 'card.issued', resourceId: 'card_mia_active' });
  const { token } = (await sandbox.control('POST', '/share-tokens', { expiresIn: '1s' })).body;
  await sandbox.control('POST', '/clock/advance', { duration: '1s' });
  await openPage(sandbox);
  const { VIEWS } = await import('../../src/dashboard/views.ts');
  const views = VIEWS.filter(view => 'list' in view && 'columns' in view);
  expect(views.length).toBe(6);
  for (const view of views) {
    // A view of records has these.
    const { list, columns } = view as unknown as {
      list: RecordList<Json>;
      columns: readonly Column<Json>[];
    };
    const rows: readonly Json[] = (await sandbox.control('GET', list.path)).body;
    expect(rows.length, list.path).toBeGreaterThan(0);
    expect(list.path !== '/share-tokens' || rows.some(row => list.idOf(row) === token)).toBe(true);
    for (const row of rows) {
      for (const text of columns.flatMap(({ cell }) => linesOf(cell(row, rows)))) {
        if (text.length < MIN_LENGTH) continue;
        const found = (await sandbox.control('GET', `${list.path}?q=${encodeURIComponent(text)}`)).body;
        expect(found.map(list.idOf), `${list.path}: ${text}`).toContain(list.idOf(row));
      }
    }
  }
});

test('a search finds a request by its target, its refusal and its duration, as the row shows them', async () => {
  const sandbox = await startSandbox();
  await sandbox.api('GET', '/partner/cards?status=thawed&limit=3');
  await sandbox.api('GET', '/partner/nothing');
  await openPage(sandbox);
  const { textOfRow } = await import('../../src/dashboard/views/activity/activity.tsx');
  const { searchTextOf } = await import('../../src/dashboard/paging/browse.tsx');
  const { waitingTime } = await import('../../src/dashboard/ui/format.ts');
  const [unknown, refused]: JournalEntry[] = (await sandbox.control('GET', '/requests')).body;
  if (unknown === undefined || refused === undefined) throw new Error('the journal lacks a request');
  expect(searchTextOf(unknown, textOfRow)).toContain('no operation');
  for (const text of [
    'GET /v1/partner/cards?status=thawed&limit=3',
    'must be one of "created"',
    waitingTime(refused.durationMs),
  ])
    expect(searchTextOf(refused, textOfRow)).toContain(text.toLowerCase());
});

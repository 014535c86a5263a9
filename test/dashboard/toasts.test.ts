import type { VNode } from 'preact';
import { expect, test } from 'vitest';
import { type Json, startSandbox } from '../support/sandbox.ts';
import { openPage, useBrowserGlobals } from './browser-globals.ts';

useBrowserGlobals();

/** The text of a node and of what is in it. */
function textOf(node: unknown): string {
  if (Array.isArray(node)) return node.map(textOf).join('');
  if (typeof node !== 'object' || node === null) return typeof node === 'string' ? node : String(node ?? '');
  const { type, props } = node as VNode<{ readonly children?: unknown }>;
  return typeof type === 'string' ? textOf(props.children) : '';
}

/** Waits for a toast with a text, and presses its button for the way back. */
async function pressUndo(text: string): Promise<void> {
  const { Toasts } = await import('../../src/dashboard/ui/toast.tsx');
  const find = (node: unknown): (() => void) | undefined => {
    if (Array.isArray(node)) return node.map(find).find(found => found !== undefined);
    if (typeof node !== 'object' || node === null) return undefined;
    const { props } = node as VNode<{ readonly children?: unknown; readonly onClick?: () => void }>;
    return props.children === 'Undo' ? props.onClick : find(props.children);
  };
  const shown = () => [(Toasts() as VNode<{ children: VNode[] }>).props.children].flat();
  await expect.poll(() => shown().map(textOf).join()).toContain(text);
  find(shown().find(each => textOf(each).includes(text)))?.();
}

test('faults that were removed one by one are set again together', async () => {
  const sandbox = await startSandbox();
  for (const status of [500, 503]) await sandbox.control('POST', '/faults', { status });
  await openPage(sandbox);
  const { faults } = await import('../../src/dashboard/data/store.ts');
  const { removeFaults } = await import('../../src/dashboard/forms/faults.ts');
  const statuses = async () =>
    (await sandbox.control('GET', '/faults')).body.map(({ status }: Json) => status).sort();
  for (const [left, fault] of (faults.data.value ?? []).entries()) {
    removeFaults('Fault removed', [fault]);
    await expect.poll(async () => (await statuses()).length).toBe(1 - left);
  }
  await pressUndo('Fault removed 2 times');
  await expect.poll(statuses).toEqual([500, 503]);
});

test('the default of forwarding is restored with a way back', async () => {
  const sandbox = await startSandbox();
  const before = {
    url: 'http://127.0.0.1:9/hooks',
    map: { 'https://a.example': 'http://127.0.0.1:9' },
    allowHttp: true,
  };
  await sandbox.control('PUT', '/forwarding', before);
  await openPage(sandbox);
  const { forwarding } = await import('../../src/dashboard/data/store.ts');
  const { restoreForwarding } = await import('../../src/dashboard/forms/settings.ts');
  if (forwarding.data.value === null) throw new Error('the forwarding is not loaded');
  const current = async () => (await sandbox.control('GET', '/forwarding')).body;
  restoreForwarding(forwarding.data.value);
  await expect.poll(async () => (await current()).url).toBeNull();
  await pressUndo('Webhooks are forwarded');
  await expect.poll(current).toMatchObject(before);
});

test('the last three toasts are shown, and one that is shown again is counted', async () => {
  const { toast, Toasts } = await import('../../src/dashboard/ui/toast.tsx');
  const shown = () => [(Toasts() as VNode<{ children: VNode[] }>).props.children].flat().map(textOf);
  for (const text of ['first', 'second', 'third', 'fourth']) toast('good', text);
  expect(shown().map(text => text.split(' ')[0])).toEqual(['second', 'third', 'fourth']);
  toast('good', 'third');
  expect(shown().at(-1)).toContain('2 times');
  expect(shown()).toHaveLength(3);
});

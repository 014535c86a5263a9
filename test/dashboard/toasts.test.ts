import type { VNode } from 'preact';
import { expect, test } from 'vitest';
import { useBrowserGlobals } from './browser-globals.ts';

useBrowserGlobals();

/** The text of a node and of what is in it. */
function textOf(node: unknown): string {
  if (Array.isArray(node)) return node.map(textOf).join('');
  if (typeof node !== 'object' || node === null) return typeof node === 'string' ? node : String(node ?? '');
  const { type, props } = node as VNode<{ readonly children?: unknown }>;
  return typeof type === 'string' ? textOf(props.children) : '';
}

test('the last three toasts are shown, and one that is shown again is counted', async () => {
  const { toast, Toasts } = await import('../../src/dashboard/ui/toast.tsx');
  const shown = () => [(Toasts() as VNode<{ children: VNode[] }>).props.children].flat().map(textOf);
  for (const text of ['first', 'second', 'third', 'fourth']) toast('good', text);
  expect(shown().map(text => text.split(' ')[0])).toEqual(['second', 'third', 'fourth']);
  toast('good', 'third');
  expect(shown().at(-1)).toContain('2 times');
  expect(shown()).toHaveLength(3);
});

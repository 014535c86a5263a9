import { Window } from 'happy-dom';
import { expect, onTestFinished, test } from 'vitest';
import { createRevealLink, visit } from '../../support/pages.ts';
import { startSandbox } from '../../support/sandbox.ts';

interface Clipboard {
  /** Whether the page may write to the clipboard. */
  readonly isAllowed: boolean;
  /** Whether the `copy` command works. */
  readonly hasCommand: boolean;
}

/** Opens a card page with a copy button in an imitated browser and clicks the button. */
async function clickCopy({ isAllowed, hasCommand }: Clipboard) {
  const { text } = await visit(await createRevealLink(await startSandbox(), { copyPan: true }));
  const window = new Window({
    settings: { enableJavaScriptEvaluation: true, suppressInsecureJavaScriptEnvironmentWarning: true },
  });
  onTestFinished(() => window.happyDOM.close());
  const { document } = window;
  const copied: string[] = [];
  const writeText = async (content: string) => {
    if (!isAllowed) throw new Error('refused');
    copied.push(content);
  };
  const execCommand = () => {
    if (!hasCommand) return false;
    const clipboardData = { setData: (_type: string, content: string) => copied.push(content) };
    document.dispatchEvent(Object.assign(new window.Event('copy'), { clipboardData }));
    return true;
  };
  Object.defineProperty(window.navigator, 'clipboard', { value: { writeText } });
  Object.assign(document, { execCommand });
  document.write(text);
  // A browser would do this after it has read the page.
  document.dispatchEvent(new window.Event('DOMContentLoaded', { bubbles: true }));
  const textOf = (selector: string) => document.querySelector(selector)?.textContent ?? '';
  document.querySelector('.reveal-copy')?.dispatchEvent(new window.Event('click'));
  await expect.poll(() => textOf('.reveal-copy-status')).not.toBe('');
  return {
    copied,
    number: textOf('.reveal-number'),
    status: textOf('.reveal-copy-status'),
    selected: window.getSelection()?.toString(),
  };
}

test.each([
  { isAllowed: true, hasCommand: true },
  { isAllowed: false, hasCommand: true },
])('with %j the button copies the digits alone, and the number is not left selected', async clipboard => {
  const { copied, number, status, selected } = await clickCopy(clipboard);
  expect(number).toMatch(/^\d{4} \d{4} \d{4} \d{4}$/);
  expect({ copied, status, selected }).toEqual({
    copied: [number.replaceAll(' ', '')],
    status: 'Copied',
    selected: '',
  });
});

test('a number that cannot be copied is selected, and the page says so', async () => {
  const { copied, number, status, selected } = await clickCopy({ isAllowed: false, hasCommand: false });
  expect({ copied, status, selected }).toEqual({
    copied: [],
    status: 'Selected: press Ctrl+C to copy',
    selected: number,
  });
});

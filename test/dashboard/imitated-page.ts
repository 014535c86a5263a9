import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import { build } from 'esbuild';
import { type Element, type HTMLElement, type Node, Window } from 'happy-dom';
import { onTestFinished, vi } from 'vitest';
import { VERSION } from '../../src/core/operation/version.ts';
import type { TestSandbox } from '../support/sandbox.ts';

/** What the modules of the page use of a browser. */
const GLOBALS = [
  ...['document', 'location', 'history', 'localStorage', 'sessionStorage', 'navigator'],
  ...['Element', 'HTMLElement', 'HTMLInputElement', 'HTMLSelectElement', 'HTMLDialogElement'],
  'MutationObserver',
] as const;
const { fetch: realFetch, setTimeout: realTimeout, setInterval: realInterval } = globalThis;
/** Each begins a line of the text of a page. */
const BLOCKS =
  'h1, h2, h3, p, li, dt, label, header, nav, section, aside, form, footer, summary, pre, tr, [role=option], .attempts > li';
/** The pauses with which a page spares a sandbox are at most a second; a test waits for them no longer than this. */
const PAUSES = { page: 1_000, test: 100 };
/** What a page shows for some seconds lasts as many times as long, because a busy machine takes longer to look. */
const PATIENCE = 20;
/** A page counts as read after this many turns of the event loop in a row in which it waits for no response. */
const QUIET_TURNS = 5;

/** The dashboard as one script: its modules would be loaded one by one for each page that is opened. */
const dashboard = build({
  entryPoints: [fileURLToPath(new URL('../../src/dashboard/main.tsx', import.meta.url))],
  bundle: true,
  format: 'iife',
  loader: { '.css': 'empty' },
  write: false,
}).then(({ outputFiles: [file] }) => new Script(file?.text ?? '', { filename: 'dashboard.js' }));

export type KeyOptions = Readonly<
  Partial<Record<'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'repeat', boolean> & { code: string }>
>;

/** The whole dashboard in an imitated browser. */
export interface ImitatedPage {
  readonly window: Window;
  /** Goes to a place of the page, such as `#/cards`, and waits until it is read. */
  go(place: string): Promise<void>;
  /** The text of what a selector finds: a line for each block, with buttons and fields in brackets and the places of links. */
  text(selector: string): string;
  /** The same, with what assistive technology gets besides: roles, states and titles, in braces. */
  described(selector: string): string;
  /** Presses the first button or link of what a selector finds that has this text or label, and waits until all is read. */
  press(name: string, selector?: string): Promise<void>;
  /** Types a key, where the focus is. Resolves with whether the page has acted on it. */
  key(key: string, options?: KeyOptions): Promise<boolean>;
  /** Returns what the page has asked the sandbox to change since the last call, a line for each request. */
  changes(): string;
  /** Types into the field with this label, or chooses in it. */
  fill(label: string, value: string): Promise<void>;
}

/**
 * Opens the dashboard of a sandbox and waits until it is read. Its script runs again, because it keeps what a page knows, and
 * uses the globals of the process; so a file that uses this needs a process of its own.
 */
export async function openImitated(
  { origin }: Pick<TestSandbox, 'origin'>,
  path = '/dashboard',
): Promise<ImitatedPage> {
  const window = new Window({ url: origin + path });
  const { document } = window;
  document.write('<body><div id="app"></div></body>');
  // What a closed page waits for never comes: its modules go on, and would work on the next page.
  const closed = new Promise<never>(() => {});
  let isOpen = true;
  onTestFinished(async () => {
    isOpen = false;
    await window.happyDOM.close();
  });
  for (const name of GLOBALS) vi.stubGlobal(name, window[name]);
  vi.stubGlobal('addEventListener', window.addEventListener.bind(window));
  vi.stubGlobal('removeEventListener', window.removeEventListener.bind(window));
  const whileOpen =
    <T>(schedule: (work: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) => T) =>
    (work: (...args: unknown[]) => void, ms = 0, ...rest: unknown[]) =>
      schedule(
        (...args) => isOpen && work(...args),
        ms > PAUSES.page ? ms * PATIENCE : Math.min(ms, PAUSES.test),
        ...rest,
      );
  vi.stubGlobal('setTimeout', whileOpen(realTimeout));
  vi.stubGlobal('setInterval', whileOpen(realInterval));
  vi.stubGlobal('requestAnimationFrame', (work: () => void) => setTimeout(work));
  vi.stubGlobal('cancelAnimationFrame', clearTimeout);
  // Suggested names end in random letters.
  let last = 0;
  vi.stubGlobal('crypto', { getRandomValues: (bytes: Uint8Array) => bytes.map(() => last++) });
  let reading = 0;
  const changes: string[] = [];
  vi.stubGlobal('fetch', async (target: string, init?: RequestInit) => {
    reading += 1;
    try {
      const response = await realFetch(new URL(target, origin), init);
      if (!isOpen) return await closed;
      if (target.includes('/stream?')) {
        const reader = response.body?.getReader();
        const pull = async (stream: ReadableStreamDefaultController) => {
          const { done = true, value } = (await reader?.read()) ?? {};
          if (!isOpen) await closed;
          if (done) stream.close();
          else stream.enqueue(value);
        };
        return new Response(new ReadableStream({ pull }), response);
      }
      const body = await response.text();
      const { status } = response;
      if (init?.method !== 'GET') changes.push(`${init?.method} ${target} ${init?.body ?? ''} -> ${status}`);
      return new Response(status === 204 ? null : body, response);
    } finally {
      reading -= 1;
    }
  });
  const read = async () => {
    for (let quiet = 0; quiet < QUIET_TURNS; quiet += 1) {
      await new Promise(resolve => realTimeout(resolve));
      if (reading > 0) quiet = 0;
    }
  };
  (await dashboard).runInThisContext();
  await read();

  const found = (selector: string) => {
    const element = document.querySelector(selector);
    if (element === null) throw new Error(`${selector} is not on the page: ${document.body.textContent}`);
    return element;
  };
  return {
    window,
    async go(place) {
      window.location.hash = place;
      await read();
    },
    text: selector => linesOf(textOf(found(selector)), origin),
    described: selector => linesOf(textOf(found(selector), marksOf), origin),
    async press(name, selector = 'body') {
      const controls = [...found(selector).querySelectorAll('button, a')];
      const control = controls.find(each => nameOf(each) === name);
      if (control === undefined) throw new Error(`no ${name} among ${controls.map(nameOf).join(', ')}`);
      (control as HTMLElement).click();
      await read();
    },
    async key(key, options = {}) {
      const target = document.activeElement ?? document.body;
      const event = new window.KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...options });
      target.dispatchEvent(event);
      await read();
      return event.defaultPrevented;
    },
    changes: () => changes.splice(0).join('\n'),
    async fill(label, value) {
      const labels = [...document.querySelectorAll('label')];
      const field =
        document.querySelector(`[aria-label="${label}"]`) ??
        labels.find(each => [each.textContent.trim(), each.firstElementChild?.textContent].includes(label))
          ?.control;
      if (field == null)
        throw new Error(`no field ${label} among ${labels.map(each => each.textContent).join(', ')}`);
      Object.assign(field, { value });
      field.dispatchEvent(new window.Event('input', { bubbles: true }));
      field.dispatchEvent(new window.Event('change', { bubbles: true }));
      await read();
    },
  };
}

function nameOf(control: Element): string {
  return control.getAttribute('aria-label') ?? control.textContent.trim();
}

/** What assistive technology gets of an element besides its name, and the color of a button. */
function marksOf(element: Element): string {
  const isMark = /^(?:role|title|tabindex|aria-(?!label$).*)$/;
  const [color] = /\b(?:primary|danger)$/.exec(element.className) ?? [];
  const marks = [...element.attributes].filter(
    ({ name, value }) => isMark.test(name) && value !== element.getAttribute('aria-label'),
  );
  const texts = [
    ...marks.map(({ name, value }) => `${name}=${value}`),
    ...(color === undefined ? [] : [color]),
  ];
  return texts.length === 0 ? '' : `{${texts.join(' ')}}`;
}

function textOf(node: Node, marksOf: (element: Element) => string = () => ''): string {
  if (node.nodeType === node.TEXT_NODE) return node.textContent ?? '';
  const inner = [...node.childNodes].map(child => textOf(child, marksOf)).join(' ');
  if (node.nodeType !== node.ELEMENT_NODE) return inner;
  const element = node as Element;
  if (element.tagName === 'svg') {
    if (!element.querySelector('path')?.getAttribute('d')) throw new Error('an icon has no drawing');
    return '';
  }
  const marks = marksOf(element);
  if (element.tagName === 'BUTTON') {
    const [name, shown] = [nameOf(element), element.textContent.trim()];
    if (shown === '' && inner.trim() === '' && element.querySelector('svg') === null)
      throw new Error(`the button ${name} shows nothing`);
    const also = shown === '' || shown === name ? '' : `, shown as ${shown}`;
    return `[${name}${also}${element.hasAttribute('disabled') ? ', disabled' : ''}]${marks}`;
  }
  if (element.tagName === 'SELECT' || element.tagName === 'INPUT') {
    const {
      value,
      placeholder = '',
      checked,
    } = element as HTMLElement & Record<'value' | 'placeholder' | 'checked', string>;
    const options = [...element.querySelectorAll('option')].map(each => each.textContent);
    return `[${[value || placeholder, ...options].join(', ')}${checked ? ', checked' : ''}]${marks}`;
  }
  const target = element.getAttribute('href');
  const text = `${marks} ${target === null ? inner : `${inner} <${target}>`}`;
  return element.matches(BLOCKS) ? `\n${text}\n` : text;
}

/** Joins words and leaves out empty lines and what differs from run to run: addresses, versions, durations and the time of day. */
function linesOf(text: string, origin: string): string {
  return text
    .replaceAll(origin, 'ORIGIN')
    .replaceAll(VERSION, 'VERSION')
    .replace(/127\.0\.0\.1:\d+/g, 'HOST')
    .replace(/\b1[789]\d{8}\b/g, 'SECONDS')
    .replace(/v1=[0-9a-f]+/g, 'v1=SIGNATURE')
    .replace(/\b[\d.]+ (?:ms|µs)\b/g, '… ms')
    .split('\n')
    .map(line => line.replace(/\s+/g, ' ').trim())
    .filter(line => line !== '')
    .join('\n');
}

import { effect, signal } from '@preact/signals';

export function monotonicNow(): number {
  return performance.now();
}

/** Runs `work` once, in `ms` milliseconds. Returns a function that cancels it. */
export function after(ms: number, work: () => void): () => void {
  const timer = setTimeout(work, ms);
  return () => clearTimeout(timer);
}

/** Returns a function that runs `work` in `delay` ms, `pause` ms after it last ran at the earliest. Calls until then are one. */
export function throttle(work: () => void, delay: number, pause = delay): () => void {
  let isScheduled = false;
  let lastRun = Number.NEGATIVE_INFINITY;
  return () => {
    if (isScheduled) return;
    isScheduled = true;
    after(Math.max(lastRun + pause - monotonicNow(), delay), () => {
      isScheduled = false;
      lastRun = monotonicNow();
      work();
    });
  };
}

/** Runs `work` every `ms` milliseconds. Returns a function that stops it. */
export function every(ms: number, work: () => void): () => void {
  const timer = setInterval(work, ms);
  return () => clearInterval(timer);
}

export function randomText(length: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(length));
  return Array.from(bytes, byte => (byte % 36).toString(36)).join('');
}

/** Returns a preference saved in this browser, or null when there is none or storage is disabled. */
export function loadPreference(key: string): string | null {
  try {
    return localStorage.getItem(`card-sandbox.${key}`);
  } catch {
    return null;
  }
}

/** Saves a preference in this browser. Has no effect when storage is disabled. */
export function savePreference(key: string, value: string): void {
  try {
    localStorage.setItem(`card-sandbox.${key}`, value);
  } catch {
    // Without storage the preference lasts until the page is closed.
  }
}

const THEMES = ['auto', 'light', 'dark'] as const;

export const theme = signal(THEMES.find(each => each === loadPreference('theme')) ?? 'auto');

effect(() => {
  document.documentElement.dataset.theme = theme.value;
  savePreference('theme', theme.value);
});

export function nextTheme(): void {
  theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? 'auto';
}

/** Copies a text to the clipboard. Resolves to whether the browser allowed it. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelection(text);
  }
}

/** Copies without the Clipboard API, which browsers withhold from pages served over HTTP beyond loopback. */
function copySelection(text: string): boolean {
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'off-screen';
  (document.querySelector('dialog[open]') ?? document.body).append(field);
  const focused = document.activeElement;
  let isCopied = false;
  // Some browsers return true from the command without a copy. They do not raise the event then.
  field.addEventListener('copy', () => {
    isCopied = true;
  });
  field.select();
  const isDone = document.execCommand('copy');
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return isDone && isCopied;
}

export function saveFile(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Milliseconds of real time since the page was opened. */
export function elapsed(): number {
  return performance.now();
}

/** Runs `work` once, `ms` from now; returns the way to call it off. */
export function after(ms: number, work: () => void): () => void {
  const timer = setTimeout(work, ms);
  return () => clearTimeout(timer);
}

/** Runs `work` every `ms`; returns the way to end that. */
export function every(ms: number, work: () => void): () => void {
  const timer = setInterval(work, ms);
  return () => clearInterval(timer);
}

/** A short text that was not there before, for external ids and e-mail addresses. */
export function freshText(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(4));
  return Array.from(bytes, byte => (byte % 36).toString(36)).join('');
}

/** A text kept in the browser beyond this visit; null where there is none, or storage is switched off. */
export function remembered(key: string): string | null {
  try {
    return localStorage.getItem(`card-sandbox.${key}`);
  } catch {
    return null;
  }
}

/** Keeps a text in the browser beyond this visit, where it can. */
export function remember(key: string, value: string): void {
  try {
    localStorage.setItem(`card-sandbox.${key}`, value);
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}

/** Puts a text on the clipboard; answers whether the browser let it. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** The way without the clipboard interface, which browsers keep from pages served by plain HTTP beyond loopback. */
function copyBySelection(text: string): boolean {
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'off-screen';
  (document.querySelector('dialog[open]') ?? document.body).append(field);
  field.select();
  const done = document.execCommand('copy');
  field.remove();
  return done;
}

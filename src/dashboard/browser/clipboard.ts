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

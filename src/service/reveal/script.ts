/**
 * The script of the copy button. A cross-site frame may write to the clipboard only if its parent page allows it;
 * otherwise the older `copy` command still works on a click. If both fail, the script selects the number.
 */
export const COPY_SCRIPT = `
addEventListener('DOMContentLoaded', () => {
  const button = document.querySelector('.reveal-copy');
  const number = document.querySelector('.reveal-number');
  const status = document.querySelector('.reveal-copy-status');
  const digits = number.textContent.replace(/\\D/g, '');

  function copyByCommand() {
    const selection = getSelection();
    let copied = false;
    const take = event => {
      event.clipboardData.setData('text/plain', digits);
      event.preventDefault();
      copied = true;
    };
    selection.selectAllChildren(number);
    document.addEventListener('copy', take);
    const done = document.execCommand('copy');
    document.removeEventListener('copy', take);
    if (done && copied) selection.removeAllRanges();
    return done && copied;
  }

  async function copy() {
    try {
      await navigator.clipboard.writeText(digits);
      return true;
    } catch {
      return copyByCommand();
    }
  }

  button.addEventListener('click', async () => {
    // Cleared first, so that a screen reader announces the same text again.
    status.textContent = '';
    status.textContent = await copy() ? 'Copied' : 'Selected: press Ctrl+C to copy';
  });
});
`;

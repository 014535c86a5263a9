/**
 * What the copy button does. A frame of another site may write to the clipboard only where the page around it allows
 * that; where it does not, the older command still works on a press of a button. Last of all the number is selected.
 */
export const COPY_SCRIPT = `
(() => {
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
    // Emptied first, so that it is read out again when it says the same.
    status.textContent = '';
    status.textContent = await copy() ? 'Copied' : 'Selected: press Ctrl+C to copy';
  });
})();
`;

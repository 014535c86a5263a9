const frame = document.querySelector('#card');
const problem = document.querySelector('#problem');

document.querySelector('#show').addEventListener('click', async () => {
  const result = await (await fetch('/reveal', { method: 'POST' })).json();
  problem.textContent = result.error ?? '';
  frame.hidden = result.accessUrl === undefined;
  if (result.accessUrl !== undefined) frame.src = result.accessUrl;
});

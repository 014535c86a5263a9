const frame = document.querySelector('#card');
const problem = document.querySelector('#problem');

document.querySelector('#show').addEventListener('click', async () => {
  const answer = await (await fetch('/reveal', { method: 'POST' })).json();
  problem.textContent = answer.error ?? '';
  frame.hidden = answer.accessUrl === undefined;
  if (answer.accessUrl !== undefined) frame.src = answer.accessUrl;
});

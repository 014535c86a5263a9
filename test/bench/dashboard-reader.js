// Reads from a sandbox what its dashboard reads with the cardholders open: the event stream, and once a second the clock,
// the list and the number of cardholders. `node dashboard-reader.js PORT` runs until it is killed; it prints a line once
// the stream is open.
const [, , port] = process.argv;
const CONTROL = `http://127.0.0.1:${port}/_sandbox`;
const STREAM = 'stream?kinds=request,delivery,clock,reset,change&newest=10';
const READS = ['clock', 'cardholders?limit=51', 'cardholders?limit=2'];
const READ_PAUSE_MS = 1_000;

const read = path => fetch(`${CONTROL}/${path}`).then(response => response.text());

let readAt = Number.NEGATIVE_INFINITY;
let isWaiting = false;

function readChanges() {
  isWaiting = false;
  readAt = performance.now();
  for (const path of READS) void read(path);
}

const { body } = await fetch(`${CONTROL}/${STREAM}`);
console.log('open');
for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
  if (isWaiting || !chunk.includes('event: change\n')) continue;
  isWaiting = true;
  setTimeout(readChanges, Math.max(readAt + READ_PAUSE_MS - performance.now(), 0));
}

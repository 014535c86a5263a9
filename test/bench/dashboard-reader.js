// Reads from a sandbox what an open dashboard reads: the event stream, and once a second what changed. `node
// dashboard-reader.js PORT` runs until it is killed; it prints a line once the stream is open.
const [, , port] = process.argv;
const CONTROL = `http://127.0.0.1:${port}/_sandbox`;
const KINDS = 'request,event,delivery,clock,reset,change';
const LISTS = { cardholder: 'cardholders', 'share token': 'share-tokens' };
const READ_PAUSE_MS = 1_000;
const MAX_NEWEST = 200;
const MARGIN = 20;

const read = path => fetch(CONTROL + path).then(response => response.text());

const created = new Map();
let isWaiting = false;

function readChanges() {
  isWaiting = false;
  void read('/clock');
  for (const [kind, count] of created) {
    void read(`/${LISTS[kind]}?limit=${Math.min(2 * count + MARGIN, MAX_NEWEST)}`);
  }
  created.clear();
}

const { body } = await fetch(`${CONTROL}/stream?kinds=${KINDS}`);
console.log('open');
let rest = '';
for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
  const blocks = (rest + chunk).split('\n\n');
  rest = blocks.pop();
  for (const [, data] of blocks.flatMap(block => [...block.matchAll(/^event: change\ndata: (.*)$/gm)])) {
    const { kind, action } = JSON.parse(data);
    if (action === 'created' && kind in LISTS) created.set(kind, (created.get(kind) ?? 0) + 1);
  }
  if (isWaiting || created.size === 0) continue;
  isWaiting = true;
  setTimeout(readChanges, READ_PAUSE_MS);
}

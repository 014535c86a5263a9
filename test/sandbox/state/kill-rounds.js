// Does a state file survive the death of its sandbox at any moment? `node test/sandbox/state/kill-rounds.js [rounds]`,
// after `npm run build`; 200 rounds by default. In each, a sandbox writes and saves without a pause, is
// killed at a random moment, and is started again from what is left. A line says how it went; exit 1 for a loss.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../../../bin/card-sandbox.js', import.meta.url));
const LONGEST_LIFE_MS = 150;
const rounds = Number(process.argv[2] ?? 200);

const folder = mkdtempSync(join(tmpdir(), 'card-sandbox-kill-'));
const file = join(folder, 'world.json');
let saves = 0;
let swept = 0;
let lost = 0;
let kept = 0;
try {
  for (let round = 1; round <= rounds; round++) {
    const strays = readdirSync(folder).filter(name => name.endsWith('.tmp')).length;
    const { url, child } = await start();
    if (readdirSync(folder).some(name => name.endsWith('.tmp'))) fail(`round ${round}: stray files stay`);
    swept += strays;
    const { counts } = await (await fetch(`${url}/_sandbox/state`)).json();
    // What was confirmed as saved has to be there; one more may be, whose confirmation was cut off.
    if (counts.shareTokens < kept) {
      lost += 1;
      console.error(`round ${round}: ${counts.shareTokens} tokens are left of ${kept} that were saved`);
    }
    kept = counts.shareTokens;
    const ended = new Promise(resolve => child.once('exit', resolve));
    setTimeout(() => child.kill('SIGKILL'), Math.random() * LONGEST_LIFE_MS);
    await saveForever(url);
    await ended;
  }
} finally {
  rmSync(folder, { recursive: true });
}
console.log(`${rounds} rounds, ${saves} saves, ${swept} stray files swept, ${lost} states lost`);
process.exitCode = lost === 0 ? 0 : 1;

/** Mints a token and saves, until the sandbox no longer responds. */
async function saveForever(url) {
  for (let tokens = kept; ; ) {
    try {
      await fetch(`${url}/_sandbox/share-tokens`, { method: 'POST' });
      tokens += 1;
      const { status } = await fetch(`${url}/_sandbox/state/save`, { method: 'POST' });
      if (status !== 200) fail(`a save answered ${status}`);
      saves += 1;
      kept = tokens;
    } catch (error) {
      if (error instanceof TypeError) return;
      throw error;
    }
  }
}

/** Starts a sandbox from the file; it has to listen, whatever was left there. */
function start() {
  const args = [PROGRAM, 'start', '--port', '0', '--log-format', 'json', '--state', file];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  return new Promise((resolve, reject) => {
    let complaint = '';
    child.stderr.setEncoding('utf8').on('data', text => {
      complaint += text;
    });
    let printed = '';
    child.stdout.setEncoding('utf8').on('data', text => {
      printed += text;
      const [line, rest] = printed.split('\n', 2);
      if (rest !== undefined) resolve({ url: JSON.parse(line).url, child });
    });
    child.once('exit', code => reject(new Error(`exit ${code} at the start: ${complaint}`)));
  });
}

function fail(message) {
  throw new Error(message);
}

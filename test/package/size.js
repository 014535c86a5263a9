// Measures the size of an install and its cold start. Run with `npm run size`; exits with 1 when a limit is exceeded.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const MOST_PACKAGES = 5;
const MOST_BYTES = 6_000_000;
const MOST_OF_EXPRESS = 1.5;
const ROUNDS = 15;
const ROOT = join(import.meta.dirname, '../..');

const folder = mkdtempSync(join(tmpdir(), 'card-sandbox-size-'));
try {
  const tarball = pack();
  const { packages, bytes } = install(tarball.file);
  const program = join(folder, 'node_modules/card-sandbox/bin/card-sandbox.js');
  const { ours, theirs, ratio } = await compareStarts(
    [program, 'start', '--port', '0', '--json'],
    [join(import.meta.dirname, 'bare-express.js')],
  );
  console.log(`packed     ${tarball.bytes} bytes`);
  console.log(
    `installed  ${bytes} bytes (at most ${MOST_BYTES}) in ${packages} packages (at most ${MOST_PACKAGES})`,
  );
  console.log(
    `cold start ${ours.toFixed(0)} ms to the first answer, ${theirs.toFixed(0)} ms for bare Express`,
  );
  console.log(
    `           ${ratio.toFixed(2)} of bare Express (at most ${MOST_OF_EXPRESS}), median of ${ROUNDS} pairs`,
  );
  if (packages > MOST_PACKAGES || bytes > MOST_BYTES || ratio > MOST_OF_EXPRESS) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function npm(args, cwd) {
  return execFileSync('npm', [...args, '--loglevel=error'], {
    cwd,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
}

function pack() {
  const [packed] = JSON.parse(
    npm(['pack', '--json', '--ignore-scripts', '--pack-destination', folder], ROOT),
  );
  return { file: join(folder, packed.filename), bytes: packed.size };
}

function install(tarball) {
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  npm(['install', '--no-audit', '--no-fund', tarball], folder);
  const modules = join(folder, 'node_modules');
  const files = readdirSync(modules, { recursive: true })
    .map(file => join(modules, file))
    .filter(file => statSync(file).isFile());
  const own = /node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+[\\/]package\.json$/;
  return {
    packages: files.filter(file => own.test(file)).length,
    bytes: files.reduce((sum, file) => sum + statSync(file).size, 0),
  };
}

/** Starts both in turns, so that a slow machine affects both. */
async function compareStarts(ourArgs, theirArgs) {
  const pairs = [];
  for (let round = 0; round < ROUNDS; round++) pairs.push([await start(ourArgs), await start(theirArgs)]);
  return {
    ours: median(pairs.map(([ours]) => ours)),
    theirs: median(pairs.map(([, theirs]) => theirs)),
    ratio: median(pairs.map(([ours, theirs]) => ours / theirs)),
  };
}

/** Milliseconds from the start of a process to the end of its first response. */
async function start(args) {
  const begun = performance.now();
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [line] = await once(createInterface({ input: child.stdout }), 'line');
    const headers = { 'x-service-api-key': 'sk_test_acme_0123456789abcdef' };
    const response = await fetch(`${JSON.parse(line).url}/v1/partner/cards`, { headers });
    await response.text();
    if (response.status !== 200) throw new Error(`answered ${response.status}`);
    return performance.now() - begun;
  } finally {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
}

function median(numbers) {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)];
}

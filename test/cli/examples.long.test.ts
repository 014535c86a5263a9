import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { wholeProgram } from '../../src/cli/program.ts';
import { createSandbox } from '../../src/index.ts';
import { atFileEnd } from '../support/at-file-end.ts';
import { launchHere, type ServedHere, serveHere } from '../support/cli-in-process.ts';
import { CLI_PROGRAM, startCli } from '../support/cli-process.ts';
import { sample } from '../support/proof/proof-size.ts';
import { ACME_KEY } from '../support/sandbox.ts';
import { serveShortCommands } from '../support/shell-commands.ts';
import { commandsIn, examplesOf } from './support/commands-in.ts';

const examples = commandsIn(await wholeProgram()).map(({ name, command }) => ({
  name,
  lines: examplesOf(command),
}));

/** Commands that run until they are stopped, and what they print once they do. */
const RUNNING = /^card-sandbox (?:start\b(?! .*--background)|listen|open|tail)/;
const READY = /Request log:|"type":"listening"|receiving webhooks|showing the webhooks|following|a recording/;
const SECRET = 'a-secret-of-some-length';
const CONTROL_TOKEN = 'a-control-token';
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** The tests of a sound app. */
const APP_TEST = join(ROOT, 'examples/integrations/node/integration.test.js');
const SCENARIO = join(ROOT, 'fixtures/scenarios/card-lifecycle.yaml');
const PEOPLE = {
  partners: [{ id: 'partner_people', name: 'People', apiKey: 'sk_test_people_0123456789abcdef' }],
  cardholders: [{ id: 'ch_eve', partnerId: 'partner_people', firstName: 'Eve' }],
};

let folder: string;
let sandbox: ServedHere;
let receiverPort: string;

const atEnd = atFileEnd();
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'card-sandbox-examples-'));
  atEnd(() => rm(folder, { recursive: true, maxRetries: 5 }));
  mkdirSync(join(folder, 'bin'));
  const script = `#!/bin/sh\n${await serveShortCommands(atEnd)}exec "${process.execPath}" "${CLI_PROGRAM}" "$@"\n`;
  writeFileSync(join(folder, 'bin/card-sandbox'), script, { mode: 0o755 });
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(ROOT, join(folder, 'node_modules/card-sandbox'));
  sandbox = await serveHere(['--allow-http-webhooks', '--state', join(folder, 'kept.json')], atEnd);
  const receiver = launchHere(['listen', '--port', '0', '--secret', SECRET, '--json'], atEnd);
  const [, port = ''] = await receiver.printed(/"url":"http:[^"]*:(\d+)"/);
  receiverPort = port;
  await using used = createSandbox();
  for (let entry = 1; entry <= 12; entry++) await used.api.balance.get();
  await used.history.save(join(folder, 'main.record.jsonl'));
  writeFiles();
});

/** Writes a project of a partner: a test, which calls the sandbox for an exam, a fixture, in code as well, a scenario and a record. */
function writeFiles(isExam = false): void {
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  const test = isExam ? `node --test ${JSON.stringify(APP_TEST)}` : 'node --version';
  const project = JSON.stringify({ private: true, scripts: { test } });
  mkdirSync(join(folder, 'packages/payments'), { recursive: true });
  for (const each of ['package.json', 'packages/payments/package.json']) write(each, project);
  write('people.yaml', JSON.stringify(PEOPLE));
  write(
    'people.mjs',
    `import { defineFixture } from 'card-sandbox';
    export default defineFixture(({ cardholders }) => cardholders.create({ firstName: 'Eve' }));`,
  );
  cpSync(SCENARIO, join(folder, 'mine.yaml'));
  cpSync(join(folder, 'main.record.jsonl'), join(folder, 'sandbox-artifacts/main.record.jsonl'));
}

/** Sets the sandbox back to a refused request, a failed delivery, the world blue and a checkpoint. */
async function prepare(line: string): Promise<void> {
  writeFiles(line.startsWith('card-sandbox exam'));
  if (line.includes('fixtures init')) rmSync(join(folder, 'people.yaml'));
  const { ask } = sandbox;
  await ask('DELETE', '/_sandbox/worlds/blue');
  await ask('POST', '/_sandbox/reset');
  await ask('POST', '/v1/partner/cards', {});
  const config = { webhookSecret: SECRET, subscribedEvents: ['card.issued'] };
  const webhookUrl = 'https://partner.test/webhooks';
  await ask('PATCH', '/_sandbox/webhooks/config', { ...config, webhookUrl });
  await ask('POST', '/_sandbox/events', { eventType: 'card.issued' });
  await ask('POST', '/_sandbox/clock/advance', { duration: '1h' });
  const url = `http://127.0.0.1:${receiverPort}/webhooks`;
  await ask('PATCH', '/_sandbox/webhooks/config', { ...config, webhookUrl: url });
  if (line.includes('events wait')) await ask('POST', '/_sandbox/events', { eventType: 'card.issued' });
  await ask('POST', '/_sandbox/checkpoints/before-import');
  const state = await ask('GET', '/_sandbox/state');
  writeFileSync(join(folder, 'state.json'), state.text);
  if (!line.includes('worlds add blue')) await ask('POST', '/_sandbox/worlds', { id: 'blue' });
}

/** Runs a line as a shell does, on the ports of this test. */
async function runLine(line: string, url = sandbox.url): Promise<{ code: number | null; output: string }> {
  const { port } = new URL(url);
  const needsPort = /^card-sandbox start\b(?!.*--port)/.test(line);
  const script = line
    // In one step: the port of this receiver could begin like one of the sandbox.
    .replaceAll(
      /(127\.0\.0\.1):(?:(3000)|4[23]\d\d)\b/g,
      (_, host, isReceiver) => `${host}:${isReceiver ? receiverPort : port}`,
    )
    .replaceAll('--port 4300', '--port 0')
    .replace('card-sandbox start', needsPort ? 'card-sandbox start --port 0' : 'card-sandbox start');
  const child = spawn('sh', ['-c', RUNNING.test(line) ? `exec ${script}` : script], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      NO_COLOR: '1',
      TOKEN: CONTROL_TOKEN,
      PATH: `${join(folder, 'bin')}${delimiter}${process.env.PATH}`,
      CARD_SANDBOX_URL: url,
      SERVICE_API_KEY: ACME_KEY,
      SERVICE_WEBHOOK_SECRET: SECRET,
      GITHUB_ENV: join(folder, 'github-env'),
    },
  });
  let output = '';
  const read = (chunk: Buffer) => {
    output += chunk;
    if (RUNNING.test(line) && READY.test(output)) child.kill('SIGTERM');
  };
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  return new Promise(resolve => child.once('close', code => resolve({ code, output })));
}

/** Where the examples of a command run: a process of their own for what would stop the shared one. */
async function urlFor(name: string): Promise<string | undefined> {
  return name === 'stop' ? (await startCli()).listening.url : undefined;
}

test.each(sample(examples, 4))(
  'the examples of $name run as they stand',

  async ({ name, lines }) => {
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) {
      await prepare(line);
      const { code, output } = await runLine(line, await urlFor(name));
      expect(code, `${line}\n${output}`).toBe(0);
      // The sandbox in the background is stopped as its user would stop it.
      if (line.includes('--background')) {
        const [background] = /http:[^"\s]*/.exec(output) ?? [];
        expect(background).toBeDefined();
        await runLine('card-sandbox stop', background);
      }
    }
  },
);

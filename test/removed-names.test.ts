import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { createSandbox } from '../src/index.ts';
import { temporaryFile } from './cli/support/temporary-file.ts';
import { runInProcess } from './support/cli-in-process.ts';
import { startSandbox } from './support/sandbox.ts';

const KINDS = {
  async command(words: string) {
    const { code, stderr } = await runInProcess(words.split(' '));
    expect(stderr).toMatch(/^error: unknown command '/);
    expect(code).toBe(2);
  },

  async flag(line: string) {
    const { code, stderr } = await runInProcess(line.split(' '));
    expect(stderr).toMatch(/^error: unknown option '--/);
    expect(code).toBe(2);
  },

  async argument(line: string) {
    const { code, stderr } = await runInProcess(line.split(' '));
    expect(stderr).toMatch(/^error: /);
    expect([1, 2]).toContain(code);
  },

  async path(call: string) {
    const [method = '', path = ''] = call.split(' ');
    const { control } = await startSandbox();
    const { status, body } = await control(method, path, method === 'GET' ? undefined : {});
    expect([status, body.error]).toEqual([404, expect.stringContaining('no such operation')]);
  },

  async request(call: string) {
    const [method = '', path = '', body] = call.split(' ');
    const { control } = await startSandbox();
    expect((await control(method, path, body && JSON.parse(body))).status).toBe(400);
  },

  async 'member of the configuration file'(line: string) {
    const file = await temporaryFile('card-sandbox.config.yaml');
    await writeFile(file, `${line}\n`);
    const { code, stderr } = await runInProcess(['start', '--port', '0', '--config', file]);
    expect(stderr).toContain(line.split(':')[0]);
    expect(code).toBe(1);
  },

  async 'member of a fixture'(line: string) {
    const file = await temporaryFile('people.yaml');
    await writeFile(file, `${line}\n`);
    const { code, stdout, stderr } = await runInProcess(['fixtures', 'validate', file]);
    expect(stdout + stderr).toContain(line.split(':')[0]);
    expect(code).toBe(1);
  },

  async 'member of a sandbox'(name: string) {
    await using sandbox = createSandbox();
    expect(Object.keys(sandbox)).not.toContain(name);
  },

  async 'file of the package'(path: string) {
    expect(() => createRequire(import.meta.url).resolve(`card-sandbox/${path}`)).toThrow();
  },
} as const satisfies Record<string, (text: string) => Promise<void>>;

type Removed = readonly [kind: keyof typeof KINDS, text: string];

const removed: readonly Removed[] = [
  ['command', 'calibrate'],
  ['command', 'card-programs show prog_everyday'],
  ['command', 'cardholders kyc approve ch_nora_in_flight'],
  ['command', 'cards details card_mia_active'],
  ['command', 'checkpoint save before'],
  ['command', 'checkpoints delete before'],
  ['command', 'clock timers'],
  ['command', 'completion bash'],
  ['command', 'coverage clear'],
  ['command', 'coverage example cards.list'],
  ['command', 'evidence --out folder -- npm test'],
  ['command', 'evidence verify folder'],
  ['command', 'faults remove-webhook wflt_x'],
  ['command', 'health'],
  ['command', 'history refusals'],
  ['command', 'kyc-sessions details kycs_omar_pending'],
  ['command', 'kyc-sessions show kycs_omar_pending'],
  ['command', 'metrics'],
  ['command', 'process'],
  ['command', 'programs details prog_everyday'],
  ['command', 'records cards'],
  ['command', 'requests clear'],
  ['command', 'requests count'],
  ['command', 'share-token'],
  ['command', 'share-tokens details tok_ana_approve'],
  ['command', 'share-tokens show tok_ana_approve'],
  ['command', 'state differences'],
  ['command', 'state keep'],
  ['command', 'stories get card-lifecycle'],
  ['command', 'stories leave'],
  ['command', 'stories list'],
  ['command', 'stories play card-lifecycle'],
  ['command', 'transactions details txn_x'],
  ['command', 'worlds token blue'],
  ['flag', 'exam --pairs -- npm test'],
  ['flag', 'exec --profile names.yaml -- npm test'],
  ['flag', 'openapi --profile names.yaml'],
  ['flag', 'run card-lifecycle --base-url http://127.0.0.1:1/v1 --capture file.jsonl'],
  ['flag', 'run card-lifecycle --base-url http://127.0.0.1:1/v1 --real-time'],
  ['flag', 'start --profile names.yaml'],
  ['flag', 'clock now --shard a'],
  ['flag', 'start --shard a'],
  ['argument', 'exam --list --only webhooks-twice@2'],
  ['argument', 'run test'],
  ['argument', 'start --state folder/'],
  ['path', 'DELETE /coverage'],
  ['path', 'DELETE /stories'],
  ['path', 'DELETE /webhook-faults/wflt_x'],
  ['path', 'GET /clock/timers'],
  ['path', 'GET /coverage/cards.list'],
  ['path', 'GET /history/refusals'],
  ['path', 'GET /programs/prog_everyday'],
  ['path', 'GET /kyc-sessions/kycs_omar_pending'],
  ['path', 'GET /metrics'],
  ['path', 'GET /process'],
  ['path', 'GET /shards'],
  ['path', 'GET /share-tokens/tok_ana_approve'],
  ['path', 'POST /checkpoints'],
  ['path', 'POST /worlds/main/token'],
  ['member of a fixture', 'programs: []'],
  ['request', 'PUT /state {"version":2}'],
  ['member of the configuration file', 'profile: names.yaml'],
  ['member of the configuration file', 'shard: a'],
  ['member of a sandbox', 'clearCoverage'],
  ['file of the package', 'schemas/profile.json'],
];

test('each name is listed once', () => {
  const texts = removed.map(each => each.join(' '));
  expect(texts).toEqual([...new Set(texts)]);
});

test.each(removed)('there is no %s %s', (kind, text) => KINDS[kind](text));

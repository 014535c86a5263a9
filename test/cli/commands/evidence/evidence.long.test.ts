import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { Json } from '../../../support/sandbox.ts';
import {
  BASELINE,
  changed,
  copyOf,
  evidence,
  filesIn,
  manifestOf,
  newFolder,
  verify,
  writeManifest,
} from './support/folders.ts';

const ONLY = [
  'webhooks-twice',
  'signature-missing',
  'names-unusual',
  'error-500-before',
  'connection-lost-after',
];

const FEW = ['webhooks-twice', 'signature-missing'];

/** A folder as `evidence` writes it. */
let written: string;
/** One with few runs, to be changed. */
let small: string;
let finished: Awaited<ReturnType<typeof evidence>>;

const readJson = async (file: string): Promise<Json> => JSON.parse(await readFile(file, 'utf8'));

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'card-sandbox-'));
  written = join(folder, 'evidence');
  finished = await evidence(written, ONLY);
  small = join(folder, 'small');
  await evidence(small, FEW);
  return () => rm(folder, { recursive: true });
});

test('evidence writes what was seen and survived, in all worlds and sandboxes of the command', async () => {
  const content = await readJson(join(written, 'evidence.json'));
  expect(JSON.parse(finished.stdout)).toEqual(content);
  expect(Object.keys(content)).toEqual([
    ...['cardSandbox', 'interface', 'seed', 'profile', 'conditions', 'exam', 'environment'],
  ]);
  expect(content).toMatchObject({ interface: '1.0.0', seed: 42, profile: null });
  const seen = content.conditions.filter(({ count }: Json) => count > 0).map(({ id }: Json) => id);
  expect(seen).toEqual(
    expect.arrayContaining([
      ...['cardholders.create 201', 'balance.get 200', 'cards.list 200', 'cardholders.list 200'],
      ...['usage.list 200', 'event cardholder.approved'],
    ]),
  );
  expect(content.exam.baseline).toBe('passed');
  expect(content.exam.summary.accepted).toBe(0);
  expect(
    Object.fromEntries(content.exam.results.map(({ id, verdict }: Json) => [id, verdict])),
  ).toMatchObject({
    'webhooks-twice': 'survived',
    'signature-missing': 'survived',
    'connection-lost-after.cards.issue': 'not-exercised',
    'connection-lost-after.cardholders.create': 'broke',
  });
  expect(finished.code).toBe(1);
});

test('the manifest lists the digest of each file but itself, as sha256sum does', async () => {
  const lines = (await readFile(join(written, 'MANIFEST'), 'utf8')).trimEnd().split('\n');
  expect(lines.toSorted()).toEqual(await manifestOf(written));
});

test('the folder has no secrets, no card numbers and only the published keys', async () => {
  for (const file of await filesIn(written)) {
    const text = await readFile(file, 'utf8');
    expect(text, file).not.toMatch(/hunter2|(?:424242|555555)\d{10}|sk_live_/);
    const keys = new Set(text.match(/sk_test_\w+/g));
    for (const key of keys) expect(key, file).toMatch(/^sk_test_(?:acme|globex)_0123456789abcdef$|recorded/);
  }
});

test('the report has no scripts and lists every condition and misbehaviour by id', async () => {
  const html = await readFile(join(written, 'report.html'), 'utf8');
  expect(html).not.toMatch(/<script|src=|href=|@import|url\(/i);
  const { conditions, exam } = await readJson(join(written, 'evidence.json'));
  for (const { id } of [...conditions, ...exam.results]) expect(html).toContain(`>${id}<`);
});

test('verify accepts the folder, also a copy elsewhere', async () => {
  const copy = join(await newFolder(), 'copy');
  await cp(written, copy, { recursive: true });
  expect(await verify(copy)).toMatchObject({ code: 0, stdout: 'verified\n' });
  const { stdout } = await verify(small, '--json');
  expect(JSON.parse(stdout)).toEqual({ verified: true, differences: [] });
});

test('the same command gives the same evidence but for the environment and times', async () => {
  const out = join(await newFolder(), 'again');
  await evidence(out, FEW);
  const [first, second] = await Promise.all(
    [small, out].map(async folder => {
      const { environment: _, ...content } = await readJson(join(folder, 'evidence.json'));
      for (const condition of content.conditions)
        condition.firstAt = condition.firstAt === null ? null : 'a time';
      content.exam.summary.durationMs = 0;
      return content;
    }),
  );
  expect(second).toEqual(first);
});

test('a command that fails is written without an exam, and a folder that is not empty is refused', async () => {
  const out = join(await newFolder(), 'failed');
  const { code } = await evidence(out, ONLY, { FAILS: '1' });
  expect(code).toBe(1);
  const { exam, conditions } = await readJson(join(out, 'evidence.json'));
  expect(exam).toMatchObject({ baseline: 'failed', results: [] });
  expect(conditions.some(({ count }: Json) => count > 0)).toBe(true);
  expect(await verify(out)).toMatchObject({ code: 0 });
  const again = await evidence(out, ONLY);
  expect(again.code).toBe(1);
  expect(again.stderr).toContain('is not empty');
});

test('verify confirms findings: a write applied twice, and a forged webhook that was accepted', async () => {
  const out = join(await newFolder(), 'naive');
  await evidence(out, ['signature-missing', 'timestamp-old', 'body-tampered'], { CREDULOUS: '1' });
  const { exam } = await readJson(join(out, 'evidence.json'));
  expect(exam.summary.accepted).toBeGreaterThan(0);
  expect(await verify(out)).toMatchObject({ code: 0 });
  expect(
    (
      await verify(
        await changed(out, 'evidence.json', content => {
          for (const each of content.exam.results) each.verdict = 'survived';
          Object.assign(content.exam, { causes: [] });
          Object.assign(content.exam.summary, {
            survived: content.exam.results.length,
            accepted: 0,
            broke: 0,
            notExercised: 0,
          });
        }),
      )
    ).stdout,
  ).toContain('is survived, and by the history it is accepted');
});

const CHANGES: readonly (readonly [string, string, (content: Json) => unknown, RegExp])[] = [
  [
    'a count',
    'evidence.json',
    content => {
      content.conditions[1].count += 1;
    },
    /count: is 2, and by the history it is 1/,
  ],
  [
    'a condition less',
    'evidence.json',
    content => void content.conditions.pop(),
    /are not those of the interface/,
  ],
  [
    'a verdict',
    'evidence.json',
    content => {
      content.exam.results.find(({ id }: Json) => id === 'webhooks-twice').verdict = 'not-exercised';
      content.exam.summary.survived -= 1;
      content.exam.summary.notExercised += 1;
    },
    /webhooks-twice: is not-exercised, and by the history it is survived or broke/,
  ],
  [
    'a summary',
    'evidence.json',
    content => {
      content.exam.summary.survived = 9;
    },
    /summary\.survived: is 9/,
  ],
  [
    'an unknown member',
    'evidence.json',
    content => {
      content.note = 1;
    },
    /note: is a member that evidence does not write/,
  ],
  [
    'a misbehaviour outside',
    'evidence.json',
    content => {
      content.exam.results[0].id = '../../x';
    },
    /results\.0\.id/,
  ],
  [
    'a response',
    `${BASELINE}/history.yaml`,
    content => {
      content.steps.find((each: Json) => each.expect?.status === 201).expect.status = 200;
    },
    /history\.yaml:\d+: status: expected 200, got 201/,
  ],
  [
    'a request',
    `${BASELINE}/history.yaml`,
    content => void content.steps.splice(2, 1),
    /history\.yaml|count/,
  ],
  [
    'an option',
    `${BASELINE}/options.json`,
    content => {
      content.handlers = '/tmp/x.js';
    },
    /options\.json: handlers: is not an option/,
  ],
  [
    'a delivery',
    `${BASELINE}/deliveries.json`,
    content => {
      content[0].note = 1;
    },
    /deliveries\.json: 0\.note: /,
  ],
  [
    'a wait',
    `${BASELINE}/history.yaml`,
    content => {
      content.steps[1] = { wait: '1d' };
    },
    /wait: is not a member that evidence writes/,
  ],
  [
    'a state',
    `${BASELINE}/start.json`,
    content => {
      content.extra = 1;
    },
    /extra/,
  ],
];

test.each(CHANGES)(
  'verify finds %s that was changed, though the manifest fits',
  async (_, file, change, expected) => {
    const { code, stdout, stderr } = await verify(await changed(small, file, change));
    expect(code).toBe(1);
    expect(stdout + stderr).toMatch(expected);
  },
);

test('verify finds what was changed, removed, added or linked', async () => {
  const byte = await copyOf(small);
  const html = await readFile(join(byte, 'report.html'), 'utf8');
  await writeFile(join(byte, 'report.html'), html.replace('survived', 'Survived'));
  expect((await verify(byte)).stdout).toBe('report.html: has been changed since MANIFEST was written\n');
  await writeManifest(byte);
  expect((await verify(byte)).stdout).toBe('report.html: is not the report of evidence.json\n');

  const twice = await copyOf(small);
  const json = await readFile(join(twice, 'evidence.json'), 'utf8');
  await writeFile(join(twice, 'evidence.json'), json.replace('{', '{\n  "seed": 7,'));
  await writeManifest(twice);
  expect(await verify(twice)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('evidence.json: is not formatted as evidence writes it'),
  });

  const missing = await copyOf(small);
  await rm(join(missing, 'runs/webhooks-twice'), { recursive: true });
  expect((await verify(missing)).stdout).toContain('runs/webhooks-twice/1-main/history.yaml: is missing');
  await writeManifest(missing);
  expect((await verify(missing)).stdout).toBe(
    'runs/webhooks-twice: is missing, and the result is survived\n',
  );

  const added = await copyOf(small);
  await mkdir(join(added, 'runs/extra'));
  await writeFile(join(added, 'runs/extra/x.sh'), 'echo');
  expect((await verify(added)).stdout).toBe('runs/extra/x.sh: is not in MANIFEST\n');
  await writeManifest(added);
  expect((await verify(added)).stdout).toBe('runs/extra/x.sh: evidence writes no such file\n');

  const linked = await copyOf(small);
  await rm(join(linked, BASELINE, 'start.json'));
  await symlink('/etc/hostname', join(linked, BASELINE, 'start.json'));
  expect(await verify(linked)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('start.json: is not a regular file'),
  });

  const outside = await copyOf(small);
  await writeFile(join(outside, 'MANIFEST'), `${'0'.repeat(64)}  ../../etc/passwd\n`);
  expect(await verify(outside)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('MANIFEST:1: "../../etc/passwd" is not a path'),
  });
  expect(existsSync(join(outside, 'runs'))).toBe(true);
});

test.each(['npm:other@1.0.0', 'https://evil.example/x.tgz', '1.0.0; id', ''])(
  'verify names no command with the version %j',
  async version => {
    const folder = await changed(small, 'evidence.json', content => {
      content.cardSandbox = version;
    });
    const { code, stdout, stderr } = await verify(folder);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/evidence\.json: cardSandbox: must be a version of card-sandbox\n$/);
  },
);

test('verify --json escapes control characters in names of files', async () => {
  const folder = await copyOf(small);
  await writeFile(join(folder, 'x\u009b2J\u202e'), '');
  const { stdout } = await verify(folder, '--json');
  expect(stdout).toContain('x\\u009b2J\\u202e: is not in MANIFEST');
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { TOPICS } from '../../../../src/cli/overview.ts';
import { runInProcess } from '../../../support/cli-in-process.ts';

const FOLDER = join(import.meta.dirname, '../../../../skills/card-sandbox');
const page = (name: string) => readFileSync(join(FOLDER, `${name}.md`), 'utf8');
const skill = page('SKILL');

test('guide prints the skill', async () => {
  expect(await runInProcess(['guide'])).toEqual({ code: 0, signal: null, stdout: skill, stderr: '' });
});

test.each(TOPICS)('guide %s prints its page', async topic => {
  const expected = { code: 0, signal: null, stdout: page(topic), stderr: '' };
  expect(await runInProcess(['guide', topic])).toEqual(expected);
});

test('guide --json prints the topic and the text', async () => {
  const [whole, topic] = await Promise.all([
    runInProcess(['guide', '--json']),
    runInProcess(['guide', 'kyc', '--json']),
  ]);
  expect(JSON.parse(whole.stdout)).toEqual({ topic: null, text: skill });
  expect(JSON.parse(topic.stdout)).toEqual({ topic: 'kyc', text: page('kyc') });
});

test.each([
  ['webhook', ' Did you mean "webhooks"?'],
  ['../../AGENTS', ''],
])('guide %s is wrong usage that lists the topics', async (topic, hint) => {
  const { code, stdout, stderr } = await runInProcess(['guide', topic]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(
    `'${topic}' is not a valid topic. Allowed choices are ${TOPICS.join(', ')}.${hint}\n`,
  );
});

test('every topic has a page, and the skill lists it', () => {
  const pages = readdirSync(FOLDER).filter(name => name !== 'SKILL.md');
  expect(pages.sort()).toEqual(TOPICS.map(topic => `${topic}.md`).sort());
  const listed = [...skill.matchAll(/^\| `(\w+)` \|/gm)].map(([, topic]) => topic);
  expect(listed).toEqual(TOPICS);
});

test('the skill has the front matter of a skill, ten commands, and at most 6 kB', () => {
  expect(skill).toMatch(/^---\nname: card-sandbox\ndescription: [^\n]{100,1024}\n---\n/);
  const [, commands = ''] = /```sh\n(.*?)```/s.exec(skill) ?? [];
  expect(commands.trim().split('\n')).toHaveLength(10);
  expect(Buffer.byteLength(skill)).toBeLessThanOrEqual(6_000);
});

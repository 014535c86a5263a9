import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { TOPICS } from '../../src/cli/overview.ts';
import { isInstalled } from '../cli/support/installed.ts';
import { sectionsOf } from '../docs/support/markdown.ts';
import { createWorkplace, installJest } from '../docs/support/shell.ts';
import { sample } from '../support/proof/proof-size.ts';
import { TASKS } from './tasks.ts';

/** The folder of the skill and the pages of the guide. */
const FOLDER = join(import.meta.dirname, '../../skills/card-sandbox');

const hasBash = isInstalled('bash', '-c', 'true');

/** Returns the commands of a page, or of one of its sections. */
function commandsOf(topic: string, only?: string): string {
  return sectionsOf(readFileSync(join(FOLDER, `${topic}.md`), 'utf8'))
    .filter(({ heading }) => only === undefined || heading === only)
    .flatMap(({ blocks }) => blocks)
    .filter(({ language }) => language === 'sh')
    .map(({ text }) => text)
    .join('');
}

/** Fails unless the texts occur one after the other. */
function expectInOrder(output: string, patterns: readonly RegExp[], task: string): void {
  let rest = output;
  for (const pattern of patterns) {
    const match = pattern.exec(rest);
    if (match === null) expect.fail(`${task}: ${pattern} is missing in:\n${rest}\n--- all:\n${output}`);
    rest = rest.slice(match.index + match[0].length);
  }
}

describe.runIf(hasBash)('the shortest path', () => {
  beforeAll(installJest);

  test.each(sample(TOPICS, 3))('all commands of the page %s run in order', async topic => {
    const { run } = await createWorkplace({ isRunning: topic !== 'start' });
    const { code, output } = await run(commandsOf(topic));
    expect(code, output).toBe(0);
    for (const [task, shows] of Object.entries(TASKS[topic])) expectInOrder(output, shows, task);
  });

  test('the ten commands of the skill run in order', async () => {
    const { run } = await createWorkplace({ isRunning: false });
    const explain = 'npx card-sandbox requests explain';
    const call = 'curl -s "$SERVICE_BASE_URL/partner/cards" -H "x-service-api-key: $SERVICE_API_KEY"';
    const commands = commandsOf('SKILL', 'Ten commands');
    expect(commands).toContain(explain);
    // The command after which it is explained: a call that the fault refuses.
    const { code, output } = await run(commands.replace(explain, `${call}\n${explain}`));
    expect(code, output).toBe(0);
    const shows = [/"url":/, /share_/, /status +authorized/, /fault/, /1 survived/];
    expectInOrder(output, shows, 'the skill');
  });
});

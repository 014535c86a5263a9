import { beforeAll, describe, expect, test } from 'vitest';
import { TOPICS } from '../../src/cli/overview.ts';
import { isInstalled } from '../cli/support/installed.ts';
import { createWorkplace, installJest } from '../docs/support/shell.ts';
import { isFullRun, sample } from '../support/proof/proof-size.ts';
import { commandsOf } from './pages.ts';
import { TASKS } from './tasks.ts';

const hasBash = isInstalled('bash', '-c', 'true');

/** Fails unless the texts occur one after the other. */
function expectInOrder(output: string, patterns: readonly RegExp[]): void {
  let rest = output;
  for (const pattern of patterns) {
    const match = pattern.exec(rest);
    if (match === null) expect.fail(`${pattern} is missing in:\n${rest}\n--- all:\n${output}`);
    rest = rest.slice(match.index + match[0].length);
  }
}

describe.runIf(hasBash)('the shortest path', () => {
  beforeAll(installJest);

  // The pages below contain the same commands: alone they run in the full proof.
  test.runIf(isFullRun).each(TASKS)(
    'solves: $task',

    async ({ page, sections, shows }) => {
      const { run } = await createWorkplace({ isRunning: page !== 'start' });
      const { code, output } = await run(commandsOf(page, sections));
      expectInOrder(output, shows);
      expect(code, output).toBe(0);
    },
  );

  test.each(sample(TOPICS, 3))('all commands of the page %s run in order', async topic => {
    const { run } = await createWorkplace({ isRunning: topic !== 'start' });
    const { code, output } = await run(commandsOf(topic));
    expect(code, output).toBe(0);
    for (const { page, shows } of TASKS) if (page === topic) expectInOrder(output, shows);
  });

  test('the ten commands of the skill run in order', async () => {
    const { run } = await createWorkplace({ isRunning: false });
    const explain = 'npx card-sandbox requests explain';
    const call = 'curl -s "$SERVICE_BASE_URL/partner/cards" -H "x-service-api-key: $SERVICE_API_KEY"';
    const commands = commandsOf('SKILL', ['Ten commands']);
    expect(commands).toContain(explain);
    // The command after which it is explained: a call that the fault refuses.
    const { code, output } = await run(commands.replace(explain, `${call}\n${explain}`));
    expect(code, output).toBe(0);
    expectInOrder(output, [/"url":/, /share_/, /status +authorized/, /fault/, /1 survived/]);
  });
});

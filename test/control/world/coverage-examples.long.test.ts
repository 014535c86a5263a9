import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { playWithReceiver } from '../../../src/cli/play/play.ts';
import { createClient } from '../../../src/client/client.ts';
import { readScenario, scenarioNames } from '../../../src/tools/scenarios/file/read.ts';
import { isInstalled } from '../../cli/support/installed.ts';
import { ACME_KEY, type Json, startSandbox } from '../../support/sandbox.ts';

/** Plays a scenario with a receiver of its own, if it needs one. */
async function play(nameOrPath: string, origin: string): Promise<readonly string[]> {
  const client = createClient({ url: origin });
  const report = await playWithReceiver(
    {
      scenario: readScenario(nameOrPath),
      api: client,
      apiKey: ACME_KEY,
      control: client,
      variables: {},
      keepGoing: true,
      run: nameOrPath.replace(/\W/g, '').slice(-16),
      signal: new AbortController().signal,
      abort: () => undefined,
    },
    null,
    {},
  );
  const wrong = report.steps.filter(({ status }) => status !== 'passed');
  return wrong.map(
    ({ heading, reason, differences }) => `${heading}: ${reason ?? JSON.stringify(differences)}`,
  );
}

test('the example of each condition shows it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'card-sandbox-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const options = { allowHttpWebhooks: true, rateLimit: 0 };
  const sandbox = await startSandbox(options);
  const strict = await startSandbox({ ...options, assume: { 'kyc-after-rejection': 'refused' } });
  const { conditions } = (await sandbox.control('GET', '/coverage')).body;
  const problems: string[] = [];
  let played = 0;
  for (const [index, { id }] of conditions.entries()) {
    const { body: example } = await sandbox.control('GET', `/coverage/${encodeURIComponent(id)}`);
    // What no scenario can send has a command line, which another test runs.
    expect((example.scenario === null) !== (example.command === null), id).toBe(true);
    if (example.scenario === null) continue;
    const used = example.option === null ? sandbox : strict;
    const file = join(folder, `example-${index}.yaml`);
    await writeFile(file, example.scenario);
    await used.control('DELETE', '/coverage');
    problems.push(...(await play(file, used.origin)).map(problem => `${id}: ${problem}`));
    const { body } = await used.control('GET', '/coverage');
    if (body.conditions.find((each: Json) => each.id === id).count === 0)
      problems.push(`${id}: was not seen`);
    played += 1;
  }
  expect(problems).toEqual([]);
  expect(played).toBeGreaterThan(100);
});

test('an unknown condition is a 404 with the nearest one', async () => {
  const { control } = await startSandbox();
  const { status, body } = await control('GET', '/coverage/cards.got%20404');
  expect(status).toBe(404);
  expect(body.error).toContain('cards.get 404');
});

test('the three stories of the presenter show most of what is documented, each something of its own', async () => {
  const seen = await Promise.all(
    scenarioNames()
      .slice(0, 3)
      .map(async name => {
        const sandbox = await startSandbox({ allowHttpWebhooks: true });
        expect(await play(name, sandbox.origin)).toEqual([]);
        const { conditions } = (await sandbox.control('GET', '/coverage')).body;
        const isSeen = ({ fidelity, count }: Json) => fidelity === 'documented' && count > 0;
        return conditions.filter(isSeen).map(({ id }: Json) => id);
      }),
  );
  const all = new Set(seen.flat());
  expect(all.size).toBeGreaterThanOrEqual(23);
  for (const own of seen)
    expect(new Set(seen.filter(each => each !== own).flat()).size).toBeLessThan(all.size);
});

test.runIf(isInstalled('curl', '--version'))(
  'the command line of each condition that no scenario shows, shows it',
  async () => {
    const sandbox = await startSandbox({ rateLimit: 0 });
    const { conditions } = (await sandbox.control('GET', '/coverage')).body;
    const examples = await Promise.all(
      conditions.map(
        async ({ id }: Json) => (await sandbox.control('GET', `/coverage/${encodeURIComponent(id)}`)).body,
      ),
    );
    const commands = examples.flatMap(({ command }) => command ?? []);
    const env = { ...process.env, SERVICE_BASE_URL: `${sandbox.origin}/v1`, SERVICE_API_KEY: ACME_KEY };
    await promisify(execFile)('sh', ['-c', commands.join('\n')], { env });
    const { body } = await sandbox.control('GET', '/coverage');
    const unseen = body.conditions.filter(({ count }: Json) => count === 0).map(({ id }: Json) => id);
    const meant = examples.filter(({ command }) => command !== null).map(({ id }) => id);
    expect(meant.length).toBeGreaterThan(20);
    expect(meant.filter(id => unseen.includes(id))).toEqual([]);
  },
);

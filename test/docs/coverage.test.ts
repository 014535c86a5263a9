import { expect, test } from 'vitest';
import { coverageSections } from '../../src/client/coverage-sections.ts';
import type { Coverage } from '../../src/client/generated/records.ts';
import { readScenario, scenarioNames } from '../../src/tools/scenarios/file/read.ts';
import { type Json, startSandbox } from '../support/sandbox.ts';
import { coverageTable, expectTables, markdownTable } from './tables.ts';

test('the built-in scenarios together show every documented condition, as docs/go-live.md says', async () => {
  const { control } = await startSandbox();
  const coverages: [string, Coverage][] = [];
  for (const name of scenarioNames()) {
    const to = readScenario(name).steps.length;
    const { body: story } = await control('POST', `/stories/${name}/steps`, { to });
    expect(story.played.filter(({ status }: Json) => status !== 'passed')).toEqual([]);
    coverages.push([`\`${name}\``, (await control('GET', `/worlds/${story.run}/coverage`)).body]);
  }
  const shown = new Set(
    coverages.flatMap(([, { conditions }]) =>
      conditions.filter(({ count }) => count > 0).map(({ id }) => id),
    ),
  );
  const [, { conditions } = { conditions: [] }] = coverages[0] ?? [];
  const documented = conditions.filter(({ fidelity }) => fidelity === 'documented');
  expect(documented.filter(({ id }) => !shown.has(id)).map(({ id }) => id)).toEqual([]);
  const rowOf = (name: string, own: Coverage['conditions']) => {
    const count = (isMeant: (each: (typeof own)[number]) => boolean) => String(own.filter(isMeant).length);
    return [
      ...[name, count(() => true), count(({ fidelity }) => fidelity === 'documented')],
      count(({ id }) => shown.has(id)),
    ];
  };
  await expectTables('docs/go-live.md', {
    conditions: markdownTable(
      ['Section', 'Conditions', 'Documented', 'Shown by the scenarios'],
      [
        ...coverageSections(conditions).map(({ section, conditions: own }) => rowOf(section, own)),
        rowOf('all', conditions),
      ],
    ),
    scenarios: coverageTable('Scenario', coverages),
  });
});

import { test } from 'vitest';
import { VARIABLES } from '../../../src/tools/calibrate/lab/lab.ts';
import { probes } from '../../../src/tools/calibrate/probes/catalogue.ts';
import { expectTables, markdownTable } from '../../docs/tables.ts';

test('the tables of docs/calibrate.md are complete (npm run docs updates them)', async () => {
  await expectTables('docs/calibrate.md', {
    variables: markdownTable(
      ['Variable', 'Meaning'],
      Object.entries(VARIABLES).map(([name, meaning]) => [`\`${name}\``, meaning]),
    ),
    probes: markdownTable(
      ['Assumption', 'The probe', 'What it takes', 'Variables'],
      probes.map(({ id, needs, takes, variables = [] }) => [
        `\`${id}\``,
        needs === 'read' ? 'reads' : 'writes',
        takes,
        variables.map(name => `\`${name}\``).join(', '),
      ]),
    ),
  });
});

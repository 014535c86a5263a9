import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FixtureError } from '../../src/sandbox/fixtures/file/fixture-error.ts';
import { OptionError } from '../../src/sandbox/options.ts';
import { readProfile, withProfile } from '../../src/sandbox/profile.ts';
import { fixtureFile, temporaryFolder } from './fixtures/fixture-files.ts';

/** Returns what a function throws. */
function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

test('the error for an invalid profile says that it is about a profile', () => {
  const file = fixtureFile('assume:\n  list-order: latest\n', 'acme.yaml');
  const error = thrownBy(() => readProfile(file));
  expect(error).toBeInstanceOf(FixtureError);
  expect(error).toMatchObject({
    subject: 'the profile is',
    problems: [expect.stringContaining(`${file}:2: assume.list-order: `)],
  });
});

test('a profile that cannot be read is named, with the reason', () => {
  const folder = temporaryFolder();
  const missing = join(folder, 'acme.yaml');
  expect(thrownBy(() => withProfile({ profile: missing }))).toBeInstanceOf(OptionError);
  expect(() => withProfile({ profile: missing })).toThrow(
    `names ${JSON.stringify(missing)}, but there is no such file`,
  );
  expect(() => withProfile({ profile: folder })).toThrow(
    `names ${JSON.stringify(folder)}, but it cannot be read (EISDIR)`,
  );
});

test('the evidence beside a profile adds to its observations', () => {
  const file = fixtureFile('observations: { money: { verdict: observed } }', 'acme.yaml');
  writeFileSync(
    file.replace('.yaml', '.evidence.yaml'),
    'observations: { money: { verdict: unknown }, list-order: { verdict: contradicted } }',
  );
  expect(withProfile({ profile: file }).observations).toEqual({
    money: { verdict: 'observed' },
    'list-order': { verdict: 'contradicted' },
  });
});

import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { once } from '../../core/values/once.ts';
import { BuiltFixture, type LoadableFixture } from '../fixtures/define/built-fixture.ts';

/** The fixtures that a request has sent for its world: names, and contents with the names that messages give them. */
const KeptFixtures = once(() =>
  z.array(z.union([z.string(), z.object({ name: z.string(), content: z.unknown() })])).min(1),
);

/** Writes the fixtures of a world. */
export function writeFixtures(fixtures: readonly LoadableFixture[]): Uint8Array {
  const kept: z.input<ReturnType<typeof KeptFixtures>> = fixtures.map(each =>
    typeof each === 'string' ? each : { name: each.name, content: each.content },
  );
  return Buffer.from(`${JSON.stringify(kept)}\n`);
}

/** Reads the fixtures of a world. Throws when the file cannot be read, or is not what was written. */
export function readFixtures(path: string): LoadableFixture[] {
  return KeptFixtures()
    .parse(JSON.parse(readFileSync(path, 'utf8')))
    .map(each => (typeof each === 'string' ? each : new BuiltFixture(each.name, each.content)));
}

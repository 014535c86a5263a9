import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { ConfigFile } from '../../src/sandbox/config-schema.ts';
import { FixtureFile } from '../../src/sandbox/fixtures/file/schema.ts';
import { ScenarioFile } from '../../src/tools/scenarios/file/schema.ts';

const ROOT = join(import.meta.dirname, '../..');

const CONFIG = {
  names: { service: 'acme' },
  assume: { 'invalid-input-status': 422, 'copy-pan-default': 'true', 'usage-from-parameter': 'since' },
};

const KINDS = [
  {
    name: 'fixture',
    title: 'fixture',
    file: FixtureFile,
    valid: builtIn('fixtures'),
    typos: [
      { cardholders: [{ emial: 'x' }] },
      { card: [] },
      { cardholders: [{ id: '..' }] },
      { cardholders: [{ createdAt: 'yesterday' }] },
    ],
  },
  {
    name: 'scenario',
    title: 'scenario',
    file: ScenarioFile,
    valid: builtIn('fixtures/scenarios'),
    typos: [
      { name: 'x', step: [] },
      { name: 'x', steps: [{ advance: 'tomorrow' }] },
    ],
  },
  {
    name: 'config',
    title: 'configuration',
    file: ConfigFile,
    valid: [CONFIG, {}],
    typos: [
      { asume: {} },
      { assume: { 'invalid-input-statsu': 422 } },
      { assume: { 'invalid-input-status': 418 } },
      { assume: { 'authorization-ttl': 'long' } },
      { assume: { 'usage-from-parameter': 'from now' } },
      { names: { servise: 'acme' } },
    ],
  },
] as const;

/** The content of the built-in files of a folder. */
function builtIn(folder: string): unknown[] {
  const files = readdirSync(join(ROOT, folder)).filter(file => file.endsWith('.yaml'));
  return files.map(file => parse(readFileSync(join(ROOT, folder, file), 'utf8')));
}

test.each(KINDS)(
  'the JSON Schema of a $name accepts and refuses what the sandbox does',
  ({ name, title, file, valid, typos }) => {
    const schema = JSON.parse(readFileSync(join(ROOT, `schemas/${name}.json`), 'utf8'));
    expect(schema.title).toBe(`card-sandbox ${title}`);
    const accepts = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
    expect(valid.length).toBeGreaterThan(1);
    for (const value of valid) {
      expect(accepts(value), JSON.stringify(accepts.errors)).toBe(true);
      expect(z.safeParse(file, value).success).toBe(true);
    }
    for (const value of typos) {
      expect(accepts(value), JSON.stringify(value)).toBe(false);
      expect(z.safeParse(file, value).success, JSON.stringify(value)).toBe(false);
    }
  },
);

test('the JSON Schema of a fixture accepts a section in which everything is commented out', () => {
  const schema = JSON.parse(readFileSync(join(ROOT, 'schemas/fixture.json'), 'utf8'));
  const accepts = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
  expect(accepts(parse('cards:\n# - cardholderId: ch_mia\n'))).toBe(true);
});

test('the first line of every built-in fixture and scenario names its schema', () => {
  const lines = ['fixtures', 'fixtures/scenarios'].flatMap(folder =>
    readdirSync(join(ROOT, folder))
      .filter(file => file.endsWith('.yaml'))
      .map(file => {
        const [, path = ''] =
          /^# yaml-language-server: \$schema=(.*)\n/.exec(readFileSync(join(ROOT, folder, file), 'utf8')) ??
          [];
        return [file, JSON.parse(readFileSync(join(ROOT, folder, path), 'utf8')).title];
      }),
  );
  expect(lines.length).toBeGreaterThan(6);
  for (const [file, title] of lines)
    expect([file, title]).toEqual([file, expect.stringMatching(/^card-sandbox (fixture|scenario)$/)]);
});

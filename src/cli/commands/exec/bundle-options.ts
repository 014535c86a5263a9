import * as z from 'zod';
import { VERSION } from '../../../core/operation/version.ts';
import { suggestion } from '../../../core/values/nearest.ts';
import { describeIssue } from '../../../core/values/schemas/validation-messages.ts';
import { type CoreOptions, OPTIONS } from '../../../sandbox/options.ts';

/** The version of the files that `exec --artifacts` writes. */
const BUNDLE_VERSION = 1;

/** The options that decide responses. None names a file or lets a sandbox reach further. */
const NAMES = [
  ...(['seed', 'clock', 'freeze', 'kycDelay', 'idLength', 'rateLimit', 'retrySpeed'] as const),
  ...(['allowHttpWebhooks', 'forwardTo', 'map', 'documentedOnly', 'names', 'assume'] as const),
];

/** The options of a sandbox that a bundle repeats. */
export type BundleOptions = Pick<CoreOptions, (typeof NAMES)[number]>;

/** Returns the content of `options.json` for the options of a sandbox. */
export function bundleOptions(options: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const values = NAMES.flatMap(name => {
    const value = options[name] ?? null;
    return value === null ? [] : [[name, value] as const];
  });
  return { version: BUNDLE_VERSION, cardSandbox: VERSION, ...Object.fromEntries(values) };
}

/** Reads `options.json`. Throws an error that names the member that `writer` does not write so, and what to do. */
export function readBundleOptions(text: string, writer: string): BundleOptions {
  const content: unknown = JSON.parse(text);
  const known = ['version', 'cardSandbox', ...NAMES];
  const schemas = NAMES.map(name => {
    // The table hides that its schemas are those of zod, which published declarations must not depend on.
    const schema = OPTIONS[name].schema() as unknown as z.ZodType;
    return [name, schema.optional()] as const;
  });
  const members = {
    version: z.literal(BUNDLE_VERSION),
    cardSandbox: z.string(),
    ...Object.fromEntries(schemas),
  };
  const { data, error } = z.strictObject(members).safeParse(content, { error: describeIssue, jitless: true });
  if (data !== undefined) {
    const { version: _version, cardSandbox: _writer, ...options } = data;
    return options;
  }
  const [issue] = error.issues;
  const path = issue?.code === 'unrecognized_keys' ? issue.keys : (issue?.path ?? []);
  const name = String(path[0] ?? '');
  if (name === 'version') {
    throw new Error(
      `version: this release plays version ${BUNDLE_VERSION}; play the folder with the release that cardSandbox names`,
    );
  }
  if (issue?.code === 'unrecognized_keys') {
    const hint = suggestion(name, known) || '; remove it';
    throw new Error(`${name}: is not an option that ${writer} writes${hint}`);
  }
  throw new Error(`${path.join('.')}: ${issue?.message}; ${writer} writes no such value`);
}

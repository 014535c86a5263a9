import chalk from 'chalk';
import type { SandboxOptions } from '../options.ts';
import { API_PREFIX, CONTROL_PREFIX, type PartnerKey, VERSION } from '../sandbox.ts';

/** What is worth knowing once a sandbox listens. */
export interface Listening {
  readonly origin: string;
  readonly partners: readonly PartnerKey[];
  readonly options: SandboxOptions;
  /** A token that was made up for this run and has to be told; null when there is none to tell. */
  readonly controlToken: string | null;
}

/** The first lines of a start: addresses, keys and a first call that works when pasted. */
export function banner({ origin, partners, options, controlToken }: Listening): string {
  const rows: [string, string][] = [
    ['API', chalk.cyan(origin + API_PREFIX)],
    ['Control plane', chalk.cyan(origin + CONTROL_PREFIX)],
    ...(controlToken === null ? [] : [['Control token', controlToken] satisfies [string, string]]),
    ['Fixtures', (options.fixtures ?? ['starter']).join(' + ')],
    ['Clock', options.freeze ? 'frozen; advance it through the control plane' : 'running'],
    ...partners.map(({ name, apiKey }) => [`Key of ${name}`, chalk.green(apiKey)] satisfies [string, string]),
  ];
  const width = Math.max(...rows.map(([label]) => label.length)) + 2;
  const first = partners[0]?.apiKey ?? '';
  return [
    `${chalk.bold('card-sandbox')} ${VERSION}`,
    '',
    ...rows.map(([label, value]) => `  ${chalk.dim(label.padEnd(width))}${value}`),
    '',
    chalk.dim('  A first call:'),
    `  curl -s ${origin}${API_PREFIX}/partner/cardholders -H 'x-service-api-key: ${first}'`,
    '',
    chalk.dim('  Ctrl-C stops it. Requests follow:'),
    '',
  ].join('\n');
}

/** The same for programs: one line of JSON. */
export function listeningLine({ origin, partners, controlToken }: Listening): string {
  return JSON.stringify({
    type: 'listening',
    url: origin,
    baseUrl: origin + API_PREFIX,
    dashboardUrl: `${origin}/dashboard`,
    partners,
    ...(controlToken === null ? {} : { controlToken }),
  });
}

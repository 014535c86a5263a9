import { randomBytes } from 'node:crypto';
import type { Client } from '../../client/client.ts';
import { quoteForShell } from '../../core/values/text.ts';
import { webhookSecretsOf } from '../connection/forwarding.ts';

export const FORMATS = ['sh', 'dotenv', 'github', 'json'] as const;
export type Format = (typeof FORMATS)[number];

interface Access {
  /** Undefined when the control plane requires none. */
  readonly controlToken?: string | undefined;
  /** The process of the sandbox, to which later commands are tied. */
  readonly instance?: string | undefined;
}

/**
 * Resolves with the environment variables that say where the sandbox of a client is and how a partner's app calls it.
 * The secret of a partner without one is that which forwarding signs with. Key and secret are empty when there is no
 * partner. Changes nothing.
 */
export async function variablesFor(
  client: Client,
  partner: { readonly id: string; readonly apiKey: string } | undefined,
  { controlToken, instance }: Access,
): Promise<Record<string, string>> {
  return {
    CARD_SANDBOX_URL: client.url,
    CARD_SANDBOX_WORLD: client.world,
    SERVICE_BASE_URL: client.baseUrl,
    SERVICE_API_KEY: partner?.apiKey ?? '',
    SERVICE_WEBHOOK_SECRET: (partner && (await webhookSecretsOf(client))[partner.id]) ?? '',
    ...(controlToken === undefined ? {} : { CARD_SANDBOX_CONTROL_TOKEN: controlToken }),
    ...(instance === undefined ? {} : { CARD_SANDBOX_INSTANCE: instance }),
  };
}

/**
 * Formats variables so that a shell, GitHub's `$GITHUB_ENV` or a program reads back the same values. `dotenv` is for a
 * file that a shell (`. ./.env`), dotenv and Docker's `--env-file` read alike. Throws an error that names the variable
 * if its value cannot be written in the format.
 */
export function formatVariables(variables: Readonly<Record<string, string>>, format: Format): string {
  if (format === 'json') return JSON.stringify(variables);
  return Object.entries(variables)
    .map(([name, value]) => {
      if (value.includes('\0')) throw unwritable(name, format, 'it contains a NUL character', 'json');
      return LINES[format](name, value);
    })
    .join('\n');
}

const LINES: Readonly<Record<Exclude<Format, 'json'>, (name: string, value: string) => string>> = {
  sh: (name, value) => `export ${name}=${quoteForShell(value)}`,
  dotenv(name, value) {
    if (SAME_EVERYWHERE.test(value)) return `${name}=${value}`;
    const reason = `a shell, dotenv and Docker read the same value only if it consists of letters, digits and ${MARKS}`;
    throw unwritable(name, 'dotenv', reason, 'sh or json');
  },
  github(name, value) {
    if (!/[\r\n]/.test(value)) return `${name}=${value}`;
    // A value cannot contain a delimiter that it cannot predict.
    const end = `END_${randomBytes(8).toString('hex')}`;
    return `${name}<<${end}\n${value}\n${end}`;
  },
};

const MARKS = '_ @ % + = : , . / ^ ! * ? [ ] { } -';
/**
 * Values that mean themselves without quotes. Quotes do not help: Docker reads them as part of the value, dotenv knows
 * no quote inside quotes, and a shell runs what is in backticks.
 */
const SAME_EVERYWHERE = /^[\p{L}\p{N}_@%+=:,./^!*?[\]{}-]*$/u;

/** The message does not repeat the value, which may be a secret. */
function unwritable(name: string, format: Format, reason: string, others: string): Error {
  return new Error(
    `${name}: its value cannot be written with --format ${format}: ${reason}; use --format ${others}, or change the value`,
  );
}

import { randomBytes } from 'node:crypto';
import { shellQuoted } from '../../../core/values/shell.ts';

/** The formats in which variables are printed. */
export const FORMATS = ['sh', 'dotenv', 'github', 'json'] as const;
/** A format in which variables are printed. */
export type Format = (typeof FORMATS)[number];

/** Where a sandbox is and how to call it. */
export interface SandboxAccess {
  /** For example `http://127.0.0.1:4242`. */
  readonly url: string;
  /** The id of the world that the API key belongs to. */
  readonly world: string;
  /** For example `http://127.0.0.1:4242/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Empty when the partner has none. */
  readonly webhookSecret: string;
  /** Undefined when the control plane requires none. */
  readonly controlToken?: string | undefined;
  /** The process of the sandbox, to which later commands are tied. */
  readonly instance?: string | undefined;
}

/** Returns the environment variables that tell a program where the sandbox is and how to call it. */
export function sandboxVariables(access: SandboxAccess): Record<string, string> {
  const { url, world, baseUrl, apiKey, webhookSecret, controlToken, instance } = access;
  return {
    CARD_SANDBOX_URL: url,
    CARD_SANDBOX_WORLD: world,
    SERVICE_BASE_URL: baseUrl,
    SERVICE_API_KEY: apiKey,
    SERVICE_WEBHOOK_SECRET: webhookSecret,
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
  sh: (name, value) => `export ${name}=${shellQuoted(value)}`,
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

import { randomBytes } from 'node:crypto';

/** The formats in which variables are printed. */
export const FORMATS = ['sh', 'dotenv', 'github', 'json'] as const;
/** A format in which variables are printed. */
export type Format = (typeof FORMATS)[number];

/** Where a sandbox is and how to call it. */
export interface SandboxAccess {
  /** For example `http://127.0.0.1:4242`. */
  readonly url: string;
  /** For example `http://127.0.0.1:4242/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Empty when the partner has none. */
  readonly webhookSecret: string;
  /** Undefined when the control plane requires none. */
  readonly controlToken?: string | undefined;
}

/** Returns the environment variables that tell a program where the sandbox is and how to call it. */
export function sandboxVariables(access: SandboxAccess): Record<string, string> {
  const { url, baseUrl, apiKey, webhookSecret, controlToken } = access;
  return {
    CARD_SANDBOX_URL: url,
    SERVICE_BASE_URL: baseUrl,
    SERVICE_API_KEY: apiKey,
    SERVICE_WEBHOOK_SECRET: webhookSecret,
    ...(controlToken === undefined ? {} : { CARD_SANDBOX_CONTROL_TOKEN: controlToken }),
  };
}

/** Formats variables so that a shell, a dotenv reader, GitHub's `$GITHUB_ENV` or a program reads back the same values. */
export function formatVariables(variables: Readonly<Record<string, string>>, format: Format): string {
  if (format === 'json') return JSON.stringify(variables);
  return Object.entries(variables)
    .map(([name, value]) => LINES[format](name, value))
    .join('\n');
}

const LINES: Readonly<Record<Exclude<Format, 'json'>, (name: string, value: string) => string>> = {
  sh: (name, value) => `export ${name}='${value.replaceAll("'", "'\\''")}'`,
  dotenv: (name, value) => `${name}=${dotenvValue(value)}`,
  github(name, value) {
    if (!/[\r\n]/.test(value)) return `${name}=${value}`;
    const end = `END_${randomBytes(8).toString('hex')}`;
    return `${name}<<${end}\n${value}\n${end}`;
  },
};

/** Dotenv readers take single-quoted text literally. Only double quotes allow an escaped line break. */
function dotenvValue(value: string): string {
  if (!/['\r\n]/.test(value)) return `'${value}'`;
  if (!/[`\r\n]/.test(value)) return `\`${value}\``;
  return `"${value.replaceAll('\n', '\\n').replaceAll('\r', '\\r')}"`;
}

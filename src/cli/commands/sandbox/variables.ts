import { randomBytes } from 'node:crypto';

/** The forms in which variables are printed. */
export const FORMATS = ['sh', 'dotenv', 'github', 'json'] as const;
/** A form in which variables are printed. */
export type Format = (typeof FORMATS)[number];

/** What programs are told about a sandbox. */
export interface ShellVariables {
  /** For example `http://127.0.0.1:4242`. */
  readonly url: string;
  /** For example `http://127.0.0.1:4242/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Empty where the partner has none. */
  readonly webhookSecret: string;
  /** Undefined where the control plane asks for none. */
  readonly controlToken?: string | undefined;
}

/** The variables that tell a program where the sandbox is and how to call it. */
export function variablesFor(given: ShellVariables): Record<string, string> {
  const { url, baseUrl, apiKey, webhookSecret, controlToken } = given;
  return {
    CARD_SANDBOX_URL: url,
    SERVICE_BASE_URL: baseUrl,
    SERVICE_API_KEY: apiKey,
    SERVICE_WEBHOOK_SECRET: webhookSecret,
    ...(controlToken === undefined ? {} : { CARD_SANDBOX_CONTROL_TOKEN: controlToken }),
  };
}

/** Variables in a form that shells, dotenv files, GitHub's `$GITHUB_ENV` or programs read back as they are. */
export function written(variables: Readonly<Record<string, string>>, format: Format): string {
  if (format === 'json') return JSON.stringify(variables);
  return Object.entries(variables)
    .map(([name, value]) => FORMS[format](name, value))
    .join('\n');
}

const FORMS: Readonly<Record<Exclude<Format, 'json'>, (name: string, value: string) => string>> = {
  sh: (name, value) => `export ${name}='${value.replaceAll("'", "'\\''")}'`,
  dotenv: (name, value) => `${name}=${dotenvValue(value)}`,
  github(name, value) {
    if (!/[\r\n]/.test(value)) return `${name}=${value}`;
    const end = `END_${randomBytes(8).toString('hex')}`;
    return `${name}<<${end}\n${value}\n${end}`;
  },
};

/** Dotenv readers take single quotes to the letter; only in double quotes can a line break be written. */
function dotenvValue(value: string): string {
  if (!/['\r\n]/.test(value)) return `'${value}'`;
  if (!/[`\r\n]/.test(value)) return `\`${value}\``;
  return `"${value.replaceAll('\n', '\\n').replaceAll('\r', '\\r')}"`;
}

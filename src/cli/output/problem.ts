/** A failure for programs: what is wrong, and the way out; null when there is none. */
export interface Problem {
  readonly message: string;
  readonly hint: string | null;
}

/** Where a message goes on with the way out: `no partner with id "x", did you mean "y"?`, `…; pass another --port`. */
const WAY_OUT = /^(.*?)(?:; |, (?=did you mean ))([^\n]*)$/s;

/** Splits a message into what is wrong and the way out. `fallback` is the way out of a message without one. */
export function problemOf(text: string, fallback: string | null = null): Problem {
  const [, message, hint] = WAY_OUT.exec(text) ?? [];
  if (message === undefined || hint === undefined || message.includes('\n')) {
    return { message: text, hint: fallback };
  }
  return { message, hint };
}

/** Returns the problem of an error of commander, such as an unknown option. `help` says where the usage is shown. */
export function usageProblem(text: string, help: string): Problem {
  const message = text.replace(/^error: /, '');
  const [, plain = message, meant] = /^(.*)\n\((Did you mean .*\?)\)$/s.exec(message) ?? [];
  return { message: plain, hint: meant === undefined ? help : `${meant} ${help}` };
}

/** Returns a problem as the line that `--json` prints on standard error. */
export function problemLine({ message, hint }: Problem): string {
  return JSON.stringify({ error: { message, hint } });
}

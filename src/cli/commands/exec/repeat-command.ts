import type { Command, Option } from 'commander';

/** Flags that do not change the start of a sandbox, and those that name another one or hold a secret. */
const OMITTED = [
  ...['artifacts', 'artifactsAlways', 'stateOnFailure', 'logFormat', 'json'],
  ...['on', 'from', 'port', 'state', 'controlToken'],
];

/**
 * Returns the command line that plays the history in a file again, on a sandbox with the flags of this run of `exec`.
 * `words` are those of the command that was run.
 */
export function repeatCommand(command: Command, words: readonly string[], file: string): string {
  const play = `npx card-sandbox run ${quoted(file)} --control-url "$CARD_SANDBOX_URL"`;
  const flags = typedFlags(command, words, OMITTED).map(quoted);
  return ['npx card-sandbox exec', ...flags, '-- sh -c', quoted(play)].join(' ');
}

/** Returns the flags as they were typed, without those that a repetition does not need. */
export function typedFlags(command: Command, words: readonly string[], omitted: readonly string[]): string[] {
  // Commander keeps the command line on the program, which its types lack.
  const { rawArgs = [] } = (command.parent ?? command) as Command & { rawArgs?: readonly string[] };
  const typed = rawArgs.slice(rawArgs.indexOf(command.name()) + 1, rawArgs.length - words.length);
  const kept: string[] = [];
  let option: Option | undefined;
  for (const word of typed) {
    if (word === '--') break;
    // A word that is no flag is a value of the flag before it.
    if (word.startsWith('-')) {
      const name = word.split('=', 1)[0];
      option = command.options.find(({ long, short }) => long === name || short === name);
    }
    if (option === undefined || !omitted.includes(option.attributeName())) kept.push(word);
  }
  return kept;
}

/** Quotes a word for a shell, unless it needs no quotes. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

import type { Command, Option } from 'commander';

/** Returns the flags as they were typed before the words of the command that is run, without those that are omitted. */
export function typedFlags(command: Command, words: readonly string[], omitted: readonly string[]): string[] {
  // Commander keeps the command line on the program, which its types lack.
  const { rawArgs = [] } = (command.parent ?? command) as Command & { rawArgs?: readonly string[] };
  const typed = rawArgs.slice(rawArgs.indexOf(command.name()) + 1, rawArgs.length - words.length);
  const kept: string[] = [];
  let option: Option | undefined;
  for (const word of typed) {
    if (word === '--') break;
    // A word that is not a flag is a value of the flag before it.
    if (word.startsWith('-')) {
      const name = word.split('=', 1)[0];
      option = command.options.find(({ long, short }) => long === name || short === name);
    }
    if (option === undefined || !omitted.includes(option.attributeName())) kept.push(word);
  }
  return kept;
}

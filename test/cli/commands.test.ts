import { expect, test } from 'vitest';
import { commands, entriesFor } from '../../src/cli/commands.ts';
import { wholeProgram } from '../../src/cli/program.ts';

const wordsFor = (word: string) => entriesFor(word).map(({ words }) => words);

test('a command line adds only the commands that it may mean', () => {
  expect(wordsFor('tail')).toEqual(['tail']);
  expect(wordsFor('clock')).toEqual(['*']);
  expect(wordsFor('requests')).toEqual(['requests explain', '*']);
});

test('the words of every entry lead to a command', async () => {
  const program = await wholeProgram();
  for (const words of commands.map(entry => entry.words).filter(each => each !== '*')) {
    let command = program;
    for (const word of words.split(' ')) {
      const next = command.commands.find(each => each.name() === word);
      if (next === undefined) throw new Error(`no command ${words}`);
      command = next;
    }
  }
});

import chalk from 'chalk';

/** Prints results. A closed pipe (`| head`) ends the printing, not the process. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Prints what went wrong, for people. */
export function failure(message: string): void {
  process.stderr.write(`${chalk.red('error:')} ${message}\n`);
}

/** Lets writing to a pipe that nobody reads any more pass in silence. */
export function ignoreClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
}

/** Text from a request, safe to print: a terminal obeys control characters. */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  return text.replace(/[\u0000-\u001f\u007f-\u009f]/g, character => JSON.stringify(character).slice(1, -1));
}

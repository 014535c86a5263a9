import type { Command } from 'commander';
import { OptionError } from '../sandbox/options.ts';

/** Awaits a running command. Reports an OptionError as wrong usage, in the format of commander's own messages. */
export function withOptionErrors<T>(command: Command, running: Promise<T>): Promise<T> {
  return running.catch(error => {
    if (error instanceof OptionError) refuse(command, error);
    throw error;
  });
}

function refuse(command: Command, { option: name, rule }: OptionError): never {
  const flags = command.options.find(option => option.attributeName() === name)?.flags ?? name;
  const given: unknown = command.getOptionValue(name);
  const isMap = typeof given === 'object' && given !== null && !Array.isArray(given);
  const value = isMap
    ? Object.entries(given)
        .map(pair => pair.join('='))
        .join(', ')
    : String(given);
  return command.error(`error: option '${flags}' argument '${value}' is invalid. It ${rule}.`);
}

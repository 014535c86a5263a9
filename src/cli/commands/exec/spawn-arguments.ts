/** The arguments of `spawn` for a command. */
export interface SpawnArguments {
  readonly file: string;
  readonly args: readonly string[];
  /** True if Windows must not quote `args` again. */
  readonly windowsVerbatimArguments: boolean;
}

/** Programs that Windows starts itself. Anything else may be a script, such as `npm.cmd`. */
const EXECUTABLE = /\.(?:exe|com)$/i;
/** Characters that cmd.exe interprets. */
const SPECIAL = /[()\][%!^"`<>&|;, *?]/g;

/**
 * Returns how a command is started on a platform. On Windows, `spawn` finds only executables and refuses scripts, so
 * cmd.exe runs all other commands, with every argument quoted so that it arrives unchanged.
 */
export function spawnArguments(
  words: readonly string[],
  platform: NodeJS.Platform,
  environment: NodeJS.ProcessEnv,
): SpawnArguments {
  const [name = '', ...args] = words;
  if (platform !== 'win32' || EXECUTABLE.test(name)) {
    return { file: name, args, windowsVerbatimArguments: false };
  }
  const line = [escapeSpecial(name.replaceAll('/', '\\')), ...args.map(quote)].join(' ');
  // With /s, cmd.exe removes the first and the last quote and nothing else.
  return {
    file: environment.ComSpec ?? environment.COMSPEC ?? 'cmd.exe',
    args: ['/d', '/s', '/c', `"${line}"`],
    windowsVerbatimArguments: true,
  };
}

/** Quotes an argument for the program, which splits its command line, and then for cmd.exe. */
function quote(argument: string): string {
  const quoted = argument.replace(/(\\*)"/g, '$1$1\\"').replace(/\\+$/, '$&$&');
  return escapeSpecial(`"${quoted}"`);
}

function escapeSpecial(text: string): string {
  return text.replace(SPECIAL, '^$&');
}

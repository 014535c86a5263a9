import { Argument, type Command } from 'commander';
import { quoteForShell } from '../../core/values/text.ts';
import { type AddCommand, commandAt, examples, wordsOf } from '../command.ts';
import { withChoices } from '../flags.ts';
import { printResult } from '../output/print.ts';

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;
type Shell = keyof typeof SCRIPTS;

const AFTER = `
To enable it in every new shell:
  bash  add eval "$(card-sandbox completion bash)" to ~/.bashrc
  zsh   add eval "$(card-sandbox completion zsh)" to ~/.zshrc, after compinit
  fish  run card-sandbox completion fish > ~/.config/fish/completions/card-sandbox.fish
${examples('completion bash > card-sandbox.bash')}`;

/** Adds `completion`, which prints a shell script that completes every command of the program. */
export const add: AddCommand = program => {
  commandAt(program, ['completion'])
    .description('Print a shell script that completes commands, flags and their choices.')
    .addArgument(withChoices(new Argument('<shell>', 'the shell'), Object.keys(SCRIPTS)))
    .option('--json', 'print JSON, for programs')
    .addHelpText('after', AFTER)
    .action((shell: Shell, { json }: { readonly json?: true }) => {
      const script = SCRIPTS[shell](commandTree(program));
      return printResult(json ? JSON.stringify({ shell, script }) : script.trimEnd());
    });
};

/** A command as completion scripts see it. */
interface CommandNode {
  /** Its words, without the program's own name; empty for the program itself. */
  readonly words: readonly string[];
  readonly commands: readonly { readonly name: string; readonly about: string }[];
  readonly flags: readonly FlagNode[];
}

/** A flag as completion scripts see it. */
interface FlagNode {
  readonly name: string;
  readonly about: string;
  /** Whether the next word is its value: one of `choices`, or a file when there are no choices. */
  readonly takesValue: boolean;
  readonly choices: readonly string[];
}

/** Returns a command and everything below it, parents first. */
function commandTree(command: Command): CommandNode[] {
  const commands = command.commands.map(each => ({ name: each.name(), about: firstLine(each) }));
  const flags = command.options.map(
    ({ long, short, description, argChoices, required, optional, negate }) => ({
      name: long ?? short ?? '',
      about: description,
      takesValue: (required || optional) && !negate,
      choices: argChoices ?? [],
    }),
  );
  const help = { name: '--help', about: 'show this help', takesValue: false, choices: [] };
  const node = { words: wordsOf(command), commands, flags: [...flags, help] };
  return [node, ...command.commands.flatMap(commandTree)];
}

function firstLine(command: Command): string {
  return command.description().split('\n')[0] ?? '';
}

const PROGRAM = 'card-sandbox';

/** Returns a script for bash, which follows the typed words down the tree and completes the next one. */
function bashScript(tree: readonly CommandNode[]): string {
  return `# Completion of ${PROGRAM} for bash.
_card_sandbox() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" path='' word index
  # bash splits words at = as well; the value is completed without its flag.
  if [[ $cur == '=' ]]; then cur=''; elif [[ $previous == '=' ]]; then previous="\${COMP_WORDS[COMP_CWORD-2]}"; fi
  for ((index = 1; index < COMP_CWORD; index++)); do
    word="\${COMP_WORDS[index]}"
    if [[ $word == '--' ]]; then compopt -o default 2>/dev/null; COMPREPLY=(); return; fi
    case "$path/$word" in
${eachCommand(tree, words => `      ${quotedPath(words)}) path="$path/$word" ;;`)}
    esac
  done
  case "$path $previous" in
${eachValueFlag(tree, (path, flag) => valueCase(path, flag))}
  esac
  case "$path" in
${tree.map(each => `    ${quoteForShell(pathOf(each.words))}) COMPREPLY=($(compgen -W ${quoteForShell(nextWords(each).join(' '))} -- "$cur")) ;;`).join('\n')}
  esac
  # Fall back to file names.
  if [[ \${#COMPREPLY[@]} -eq 0 && $cur != -* ]]; then compopt -o default 2>/dev/null; fi
}
complete -F _card_sandbox ${PROGRAM}
`;
}

function valueCase(path: string, { name, choices }: FlagNode): string {
  const reply =
    choices.length === 0
      ? 'compopt -o default 2>/dev/null; COMPREPLY=()'
      : `COMPREPLY=($(compgen -W ${quoteForShell(choices.join(' '))} -- "$cur"))`;
  return `    ${quoteForShell(`${path} ${name}`)}) ${reply}; return ;;`;
}

/** Returns a script for zsh, with a description of each command and flag. */
function zshScript(tree: readonly CommandNode[]): string {
  return `#compdef ${PROGRAM}
# Completion of ${PROGRAM} for zsh.
_card_sandbox() {
  local here='' word previous="\${words[CURRENT-1]}"
  local -a offers
  for word in "\${(@)words[2,CURRENT-1]}"; do
    if [[ $word == '--' ]]; then _normal; return; fi
    case "$here/$word" in
${eachCommand(tree, words => `      ${quotedPath(words)}) here="$here/$word" ;;`)}
    esac
  done
  case "$here $previous" in
${eachValueFlag(tree, (path, { name, choices }) => `    ${quoteForShell(`${path} ${name}`)}) ${choices.length === 0 ? '_files' : `compadd -- ${choices.map(quoteForShell).join(' ')}`}; return ;;`)}
  esac
  case "$here" in
${tree.map(each => `    ${quoteForShell(pathOf(each.words))}) offers=(${describeWords(each).join(' ')}) ;;`).join('\n')}
  esac
  _describe -o '${PROGRAM}' offers || _files
}
compdef _card_sandbox ${PROGRAM}
`;
}

/** Returns `name:about` for each possible next word, the format of zsh's _describe. */
function describeWords({ commands, flags }: CommandNode): string[] {
  return [...commands, ...flags].map(({ name, about }) =>
    quoteForShell(`${name}:${about.replaceAll(':', '\\:')}`),
  );
}

/** Returns a script for fish, with a description of each command and flag. */
function fishScript(tree: readonly CommandNode[]): string {
  const known = tree
    .filter(({ words }) => words.length > 0)
    .map(({ words }) => quoteForShell(words.join(' ')));
  const lines = tree.flatMap(({ words, commands, flags }) => {
    const here = `-n ${quoteForShell(`__card_sandbox_at ${words.join(' ')}`.trimEnd())}`;
    const about = (text: string) => `-d ${quoteForShell(text)}`;
    return [
      ...commands.map(
        each => `complete -c ${PROGRAM} ${here} -f -a ${quoteForShell(each.name)} ${about(each.about)}`,
      ),
      ...flags
        .filter(({ name }) => name.startsWith('--'))
        .map(flag => {
          const value =
            flag.choices.length > 0
              ? ` -x -a ${quoteForShell(flag.choices.join(' '))}`
              : flag.takesValue
                ? ' -r'
                : '';
          return `complete -c ${PROGRAM} ${here} -l ${quoteForShell(flag.name.slice(2))}${value} ${about(flag.about)}`;
        }),
    ];
  });
  return `# Completion of ${PROGRAM} for fish.
function __card_sandbox_at
  set -l here
  set -l known ${known.join(' ')}
  for word in (commandline -opc)[2..]
    if contains -- "$word" --; return 1; end
    if contains -- (string join ' ' -- $here $word) $known; set here $here $word; end
  end
  test "$here" = "$argv"
end
${lines.join('\n')}
`;
}

/** Returns one line per command, except for the program itself. */
function eachCommand(tree: readonly CommandNode[], line: (words: readonly string[]) => string): string {
  return tree.flatMap(({ words }) => (words.length === 0 ? [] : [line(words)])).join('\n');
}

function eachValueFlag(tree: readonly CommandNode[], line: (path: string, flag: FlagNode) => string): string {
  return tree
    .flatMap(({ words, flags }) =>
      flags.filter(each => each.takesValue).map(each => line(pathOf(words), each)),
    )
    .join('\n');
}

function nextWords({ commands, flags }: CommandNode): string[] {
  return [...commands, ...flags].map(({ name }) => name);
}

function pathOf(words: readonly string[]): string {
  return words.map(word => `/${word}`).join('');
}

function quotedPath(words: readonly string[]): string {
  return quoteForShell(pathOf(words));
}

export const TOPICS = [
  'start',
  'webhooks',
  'kyc',
  'cards',
  'faults',
  'time',
  'parallel',
  'ci',
  'debug',
  'scenarios',
  'embed',
  'settings',
] as const;

const topics = `${TOPICS.slice(0, 6).join(' ')}
                                      ${TOPICS.slice(6).join(' ')}`;

/** What a command line without a command prints: the guide, and the shortest way to a running sandbox. */
export const FIRST_STEPS = `Name a command. The first ones to know:

  npx card-sandbox guide              ten commands and the pitfalls
  npx card-sandbox guide TOPIC        how to solve a task, with commands to paste:
                                      ${topics}
  npx card-sandbox start              serve a card-issuing API on this machine;
                                      the dashboard is at /dashboard
  npx card-sandbox exec -- npm test   run a command with a sandbox of its own
  npx card-sandbox init               write a first test for this project
  npx card-sandbox --help             all commands`;

/** The commands that the program's help lists, with what each does, by the heading of their group. */
export const LISTED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'Run a sandbox': {
    start: 'serve a sandbox over HTTP, in the foreground or with --background',
    stop: 'stop a sandbox that start runs',
    exec: 'run a command with a sandbox of its own',
    env: 'print the variables that exec sets, for a running sandbox',
  },
  'Test an integration': {
    init: 'write a first test into a project',
    listen: 'receive webhooks: verify and print each one',
    doctor: 'grade a webhook receiver with genuine and forged deliveries',
    exam: 'find out which failures your tests survive',
    demo: 'play a scenario step by step',
    run: 'play a record, or compare a server with a scenario',
    open: 'show a record in the dashboard',
    fixtures: 'create and validate fixture files',
  },
  'Control a sandbox': {
    clock: 'advance, freeze and resume the clock',
    simulate: 'act as card network, card provider and bank',
    trigger: 'raise an event of any type',
    faults: 'make API requests and webhooks fail',
    forward: 'send all webhooks to a local receiver',
    reset: 'return to the initial state',
    state: 'save and load the state',
  },
  'Find out': {
    requests: 'list API requests, and explain why one was refused',
    events: 'list, wait for and redeliver webhooks',
    history: 'list changes, undo them, export a record',
    tail: 'follow requests and webhooks as they happen',
    openapi: 'print the OpenAPI document',
    guide: 'print how to solve a task',
  },
};

/** Returns the help of the program, which fits one screen. It starts with what the program is. */
export function programHelp(about: string): string {
  const groups = Object.entries(LISTED).map(([heading, commands]) =>
    [
      `${heading}:`,
      ...Object.entries(commands).map(([word, summary]) => `  ${word.padEnd(11)}${summary}`),
      '',
    ].join('\n'),
  );
  return `Usage: card-sandbox [options] [command]

${about} New here? card-sandbox guide

${groups.join('\n')}
Nouns: cardholders, cards, partners, worlds, …; card-sandbox resources
More: help, info, mcp, resources, wait
Options: -h, --help with examples and --json, for every command; -v, --version
`;
}

/** The topics of the guide, in the order in which someone meets them. */
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
] as const;

/** What a command line without a command prints: the shortest way to a running sandbox. */
export const FIRST_STEPS = `Name a command. The first ones to know:

  npx card-sandbox start              serve a card-issuing API on this machine;
                                      the dashboard is at /dashboard
  npx card-sandbox exec -- npm test   run a command with a sandbox of its own
  npx card-sandbox init               write a first test for this project
  npx card-sandbox guide              ten commands and the pitfalls
  npx card-sandbox guide TOPIC        how to solve a task, with commands to paste:
                                      ${TOPICS.slice(0, 6).join(' ')}
                                      ${TOPICS.slice(6).join(' ')}
  npx card-sandbox --help             all commands`;

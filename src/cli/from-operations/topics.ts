import type { HelpGroup } from '../output/help.ts';

/** What help says about the first word of operation commands. */
interface Topic {
  /** The description of a word that only has subcommands; other words are described by their operation. */
  readonly about?: string;
  /** Default: `control`. */
  readonly group?: HelpGroup;
}

/** Topics by their word. A word without an entry gets a general description. */
export const topics: Readonly<Record<string, Topic>> = {
  assumptions: { about: 'Decisions of the sandbox where the interface is silent.', group: 'inspect' },
  balance: { about: "A partner's balance." },
  cardholders: { about: "Cardholders as the card provider sees them, and changes on the provider's side." },
  challenges: { about: '3-D Secure challenges, as their cardholders see them.', group: 'inspect' },
  checkpoint: { about: 'In-memory snapshots of all state.', group: 'state' },
  clock: { about: 'The sandbox clock.' },
  events: { about: 'Webhook deliveries.', group: 'inspect' },
  faults: { about: 'Injected faults, for the API and for webhooks.' },
  health: { group: 'run' },
  history: { about: 'What changed the world from outside, and the way back.', group: 'inspect' },
  info: { group: 'run' },
  'kyc-sessions': { about: 'Sessions of the hosted KYC page.' },
  partners: { about: 'Partners, their settings and API keys.' },
  process: { group: 'run' },
  records: { about: "A partner's records, read without a trace in its journal.", group: 'inspect' },
  requests: { about: 'Requests to the API, and the reasons for the responses.', group: 'inspect' },
  reset: { group: 'state' },
  simulate: { about: 'Actions of the card network, the card provider and the bank.' },
  state: { about: 'All state, as one file.', group: 'state' },
  stories: { about: 'Stories of the presenter.' },
  worlds: { about: 'Worlds: sandboxes of their own in the running server.', group: 'run' },
  webhooks: { about: 'Webhook configuration of a partner.' },
};

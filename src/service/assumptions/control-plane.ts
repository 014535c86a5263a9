import type { Assumption } from '../../core/world/world.ts';

export const controlPlaneAssumptions = [
  {
    id: 'clock',
    section: '1',
    decision:
      'Timestamps, delays, expiry times, grace periods, retries, billing periods and the daily check use the sandbox clock. Webhook signatures, rate-limit headers and connection timeouts use wall time.',
  },
  {
    id: 'worlds',
    section: '1',
    decision:
      'A server holds isolated worlds, at most --max-worlds besides main. An API key belongs to one world and selects it; the query of a reveal or KYC page names its world, and any other request is one of main. A world ends after the idle time of --world-ttl; open streams and waiting requests count as use. See docs/worlds.md.',
  },
  {
    id: 'history',
    section: '1',
    decision:
      'Each world keeps a history of its last 1,000 requests from outside: every API request, control calls that write, and pages that a person opened or sent with an effect; refused ones are entries, too. A rewind goes back to the state before an entry, with clock, timers, faults, journal and ids, and drops that entry and all later ones. GET /_sandbox/history/export writes it as a record, which begins with the state before its first entry, and whose responses of the rate limit, of handlers and of pages that a person opened are not repeated; see docs/records.md.',
  },
  {
    id: 'stories',
    section: '1',
    decision:
      'The presenter plays scenario files: the built-in ones and those of --scenarios, which replace built-in ones of the same name. Each run plays in a world of its own with the fixtures of the story, default options and a frozen clock, which is neither listed nor counted and ends when the story is left, or an hour after its last step. Each world has one run of each story. See docs/dashboard.md#presenting.',
  },
  {
    id: 'clock-moves',
    section: '1',
    decision:
      'An advance runs everything that falls due, each task at its own time; tasks due at the same moment run in the order in which what they belong to was created, records before deliveries. Clock moves wait for each other and for webhooks in flight. A move is a 409 after 2.5 s if a receiver may have requested it while another move waits for that receiver, and also if the world is reset, restored or loaded in the meantime.',
  },
  {
    id: 'key-rotation',
    section: '5.6',
    decision:
      'Rotation issues a new key. The old key works until the grace period ends, 24 h by default. Beyond 1,000 keys per partner, a new key removes the oldest one that no longer works, which is then unknown.',
  },
  {
    id: 'partner-settings',
    section: '5.4',
    decision:
      'The settings of a partner are ipAllowList, allowedOrigins, rateLimitPerMinute, lowThreshold and alertThreshold. Changes apply immediately.',
  },
  {
    id: 'own-process',
    section: '1',
    decision:
      'A sandbox that card-sandbox start serves names its process in GET /_sandbox/info and can be stopped over the control plane. A sandbox in a test, or of exec, ends with the program that it is part of: its process is null, and a stop is refused with 409.',
  },
  {
    id: 'control-plane',
    section: '1',
    decision:
      'Operations that drive the sandbox itself are below /_sandbox. They need no API key and are not part of the simulated service.',
  },
  {
    id: 'control-records',
    section: '1',
    decision:
      'The control plane returns the records of a partner as plain lists, newest first, 200 by default; with q those that contain the text. The header X-Total-Count has the number of all, if an index counts them. These reads are not recorded in the journal and do not count towards the rate limit. See docs/control-plane.md#records.',
  },
  {
    id: 'control-fence',
    section: '1',
    decision:
      "The control plane refuses (403) an Origin header that is not its own, Sec-Fetch-Site: cross-site, and everything that carries the signature header or the User-Agent of a webhook. If the sandbox listens beyond loopback, or was started with --control-token, calls other than health need the control token, which is the same for all worlds; otherwise they are a 401. With --public-url, its origin is the sandbox's own, whatever the Host header is.",
  },
  {
    id: 'pages',
    section: '1',
    decision:
      '/reveal and /kyc are pages for browsers. They are not part of the API or its journal. What a link or session leads to is HTML, also when it is over or unknown; other refusals are HTML for clients that accept it, and otherwise the simple error body.',
  },
  {
    id: 'state',
    section: '1',
    decision:
      'The state document contains every row, the clock with its timers, and the state of the random number generators, but not the journal or rate-limit windows. A loaded world continues at the time at which it was saved. A document that is invalid or inconsistent is a 400 that names the table, the row and the rule, and changes nothing. See docs/state.md#the-state-document.',
  },
  {
    id: 'state-file',
    section: '1',
    decision:
      'With --state FILE, main is loaded from the file instead of from the fixtures, if the file has content; other worlds are not kept. It is saved to the file within 2 s of wall time after a change, when the sandbox stops and on POST /_sandbox/state/save. One process uses a file at a time. See docs/state.md#keeping-the-world-in-a-file.',
  },
  {
    id: 'checkpoints',
    section: '1',
    decision:
      'Checkpoints are kept in memory, at most 100 of them (one more is a 400), and survive resets. Saving under an existing name replaces that checkpoint. A checkpoint includes the clock and its timers, and can be restored any number of times; an unknown name is a 404.',
  },
  {
    id: 'new-partners',
    section: '1',
    decision:
      "POST /_sandbox/partners adds a partner with a new key and the records of a fixture's first partner, under new ids. Without a fixture, it has a card program only. The built-in fixtures and those that the sandbox was started with are available.",
  },
  {
    id: 'shortcuts',
    section: '1',
    decision:
      'POST /_sandbox/cards/issue issues a card by the rules of the API and activates it unless activate is false. POST /_sandbox/cardholders adds a cardholder with approved KYC. PATCH /_sandbox/cards/{id}/limits changes limits at any time, except on a cancelled card (400), and raises no event; limits that the body omits stay. See docs/control-plane.md#people-and-cards.',
  },
  {
    id: 'journal',
    section: '1',
    decision:
      'The journal keeps the last 1,000 API requests, with headers, bodies cut at 16 KiB, and each changed record before and after. Keys, tokens, passcodes, CVVs and card numbers are masked; live keys are not stored at all. The header X-Sandbox-Request of each response names its journal entry. See docs/control-plane.md#the-journal.',
  },
  {
    id: 'coverage',
    section: '1',
    decision:
      'Each world counts the conditions that its API requests and webhooks have shown since its start, whatever resets, rewinds and loads do: each success status and each cause of a refusal of an operation, each event type delivered, and a few more. Responses that a fault made, internal errors, and webhooks whose content a fault changed do not count. See docs/control-plane.md#coverage.',
  },
  {
    id: 'faults',
    section: '7',
    decision:
      'A fault forces a response to API requests that are authenticated and within the rate limit, before the request is processed or, with after, once it has been processed. One fault applies to a request: the one in its X-Sandbox-Fault header, else the first armed fault that matches and has let enough requests through. Checkpoints and state documents keep faults; a reset removes them. See docs/faults.md#requests-to-come.',
  },
  {
    id: 'event-stream',
    section: '1',
    decision:
      'GET /_sandbox/stream sends requests, events, deliveries, clock moves and resets as server-sent events, with kinds=change the records that changed, and with kinds=entry the control calls that write. Secrets are masked, and messages are numbered from the start of the sandbox and not replayed. A reader that falls more than 1 MiB or 10,000 messages behind is disconnected. See docs/control-plane.md#the-stream.',
  },
] as const satisfies readonly Assumption[];

import type { Assumption } from '../../core/world/world.ts';

/** Assumptions about the sandbox itself: its clock, its control plane, its state and its faults. */
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
      'A server holds any number of worlds, each with everything of its own. An API key belongs to one world and selects it; the beginning of a key names its world, so that a world refuses and records its own unknown keys; any other request is one of main. Every world but main has API keys of its own, in place of those of fixtures, copies and documents. The query of a reveal or KYC page names its world. A copy (from) has the options of its source, and its pending webhooks are sent by both. A world ends after the idle time of --world-ttl; open streams and waiting requests count as use. POST worlds takes the names of built-in fixtures, and others as documents. The settings of assumptions are those of the start of the server, or of assume for those that it names; a copy has those of its source, state documents hold none.',
  },
  {
    id: 'history',
    section: '1',
    decision:
      'Each world keeps a history of its last 1,000 requests from outside: every API request, control calls that write and were not refused, and pages that a person opened or sent with an effect. Waits, settle, saves to the state file and rewinds are not entries. Older entries are dropped when the bodies of all exceed 32 MiB. A rewind goes back to the state before an entry, with clock, timers, faults, journal and ids, and drops that entry and all later ones. Rate windows start again, and webhooks that were in flight at that moment are sent again. After a reset ids are given out again, so an id can occur twice; the newest entry with it counts. An export holds no card numbers, CVVs, passcodes or production keys, except in state documents of up to 1 MiB, which a scenario or a script loads again as they were. A larger one, a revealed card and a body that is not UTF-8 are mentioned and not repeated. A request with a production key is repeated without a key.',
  },
  {
    id: 'stories',
    section: '1',
    decision:
      'The presenter plays scenario files: the built-in ones and those of --scenarios, which replace built-in ones of the same name. In each world one story is played at a time, by the server. While it is played the clock is frozen, and the webhooks of its partner go to a receiver of the story; leaving the story or starting another one restores both and keeps the records. Going back is a rewind of the history to the moment after an earlier step, which also undoes what others did since. A story that needs an operation that --documented-only refuses is refused.',
  },
  {
    id: 'clock-moves',
    section: '1',
    decision:
      'An advance runs everything that falls due, each task at its own time; tasks due at the same moment run in the order in which what they belong to was created, records before deliveries. Clock moves wait for each other and for webhooks in flight. A move is a 409 after 2.5 s if a receiver may have requested it while another move waits for that receiver. It is also a 409 if the world is reset, restored or loaded in the meantime.',
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
      'A sandbox that card-sandbox start serves names its process and can be stopped over the control plane. A sandbox in a test, or of exec, ends with the program that it is part of, and refuses both with 409.',
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
      'The control plane returns the records of a partner as plain lists, newest first, 200 by default; offset skips the newest ones, and the header X-Total-Count has the number of all. The lists filter by the state of their records, and those of cards and transactions by the record that they belong to; X-Total-Count then has the number of those that match, or is left out where no index has it. With q they are those that contain the text, first those that have it as their whole id, e-mail address, external id or token, or as the id of their cardholder or card; after such a match only the newest 5,000 others are searched. A search gives way to other requests, returns the records as they are when it ends, and is a 409 if the world is replaced meanwhile. These reads are not recorded in the journal and do not count towards the rate limit.',
  },
  {
    id: 'control-fence',
    section: '1',
    decision:
      'The control plane refuses (403) an Origin header that is not its own, Sec-Fetch-Site: cross-site, and everything that carries the signature header or the User-Agent of a webhook. If the sandbox listens beyond loopback, every call needs the control token; otherwise it is a 401.',
  },
  {
    id: 'pages',
    section: '1',
    decision:
      '/reveal and /kyc are pages for browsers. They are not part of the API or its journal. Their errors are HTML for clients that accept it, and otherwise the simple error body.',
  },
  {
    id: 'state',
    section: '1',
    decision:
      'The state document contains every row, the clock with its timers, and the state of the random number generators, including the key of secrets that do not come from the seed. It does not contain the journal or rate-limit windows. A loaded world continues at the time at which it was saved. A document that is invalid or inconsistent is a 400 that names the table, the row and the rule, and changes nothing. One document is loaded at a time; a request that has waited 10 s of wall time for another one is a 503.',
  },
  {
    id: 'state-file',
    section: '1',
    decision:
      'With --state FILE, the world is loaded from the file instead of from the fixtures, if the file exists. It is saved to the file within 2 s of wall time after a change, less often where saving would take more than a twentieth of the time, and when the sandbox stops and on POST /_sandbox/state/save. A new file has mode 0600. A reset goes back to the fixtures. The clock of a loaded state takes precedence over --clock.',
  },
  {
    id: 'checkpoints',
    section: '1',
    decision:
      'Checkpoints are kept in memory and survive resets. A sandbox keeps at most 100; one more is a 400. Saving under an existing name replaces that checkpoint. A checkpoint saved without a name gets one that no other has had. A checkpoint includes the clock and its timers, and can be restored any number of times. An unknown name is a 404.',
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
      "POST /_sandbox/cards/issue issues a card by the rules of the API and activates it unless activate is false. POST /_sandbox/cardholders adds a cardholder with approved KYC: it mints a share token, imports it, submits the KYC and approves it. Both raise the events of the requests that they replace. The card program defaults to the partner's first. PATCH /_sandbox/cards/{id}/limits changes limits at any time, except on a cancelled card (400), and raises no event. Limits that the body omits stay.",
  },
  {
    id: 'journal',
    section: '1',
    decision:
      'The journal keeps the last 1,000 API requests, with headers, bodies cut at 16 KiB, and each changed record before and after as a state document holds it, except that amounts are in units of the currency. Messages of the stream leave out headers, and records before and after. Keys, tokens, passcodes, CVVs and card numbers are masked, with or without separators or escapes, and so is a number at the cut. Live keys are not stored at all. The header X-Sandbox-Request of each response names its journal entry.',
  },
  {
    id: 'faults',
    section: '7',
    decision:
      'A fault forces a response to API requests that are authenticated and within the rate limit. It applies before the request is processed or, with after, once it has been processed. One fault applies to a request: the one in its X-Sandbox-Fault header, else the first armed fault that matches and has let enough requests through. Later faults do not count that request. With partnerId it applies to the requests of that partner only; with from and until, moments of the sandbox clock, to requests from the one until just before the other. unknownFields adds fields that the interface does not describe to every object of the response, errors included. Delays are in wall time, at most 60 s. Faults do not apply to preflight requests. At most 1,000 faults exist: a new fault replaces the oldest one that is used up, or is a 400 if there is none. Checkpoints and state documents keep faults; a reset removes them.',
  },
  {
    id: 'event-stream',
    section: '1',
    decision:
      'GET /_sandbox/stream sends requests, events, deliveries, clock moves and resets as server-sent events. Secrets are masked, and messages are numbered from the start of the sandbox. With kinds=change, and only then, it also sends the kind, id and partner of each record that was created, updated or deleted, after the response that caused it: one message without a number per record and turn of the event loop. A new key is a change of its partner; card numbers and reveal links are not reported, and neither are the records of the new world after a reset. With newest=N it sends at most N numbered messages of a kind in a quarter of a second, the newest, and a message skipped with the kinds of which it left out others. Messages are not replayed. Over HTTP, those of 10 ms are written together. A reader that falls more than 1 MiB behind is disconnected.',
  },
] as const satisfies readonly Assumption[];

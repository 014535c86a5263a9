import type { Assumption } from '../kernel/operation/host.ts';

/**
 * The register: every decision that this sandbox makes where the interface is silent. `section` is the part
 * of the interface that is filled. Operations and refusals name the entry they rest on by its id.
 */
export const assumptions: readonly Assumption[] = [
  // Requests and answers
  {
    id: 'authentication',
    section: '7',
    decision: 'A missing, unknown or expired API key is a 401, also for a path that does not exist.',
  },
  {
    id: 'live-keys',
    section: '5.2',
    decision:
      'A key that starts with sk_live_ is a 401 that says so. It is never logged, stored or repeated.',
  },
  {
    id: 'ip-allow-list',
    section: '5.4',
    decision:
      'A caller off a non-empty allow-list is a 401. Entries are IP addresses, CIDR ranges or localhost; private and link-local ones are a 400. X-Forwarded-For counts only with --trust-proxy.',
  },
  {
    id: 'cors',
    section: '5.5',
    decision:
      'A preflight is answered with 204 without a key. Because it names no partner, its origin is held against the lists of all partners together; the request itself is judged by its own partner alone.',
  },
  {
    id: 'unknown-id',
    section: '7',
    decision:
      "An unknown id, or one of another partner's record, is a 404 that names the kind of record and the id.",
  },
  {
    id: 'unknown-operation',
    section: '7',
    decision:
      'An unknown path or method is a 404 that begins with "no such operation" and names the nearest known one.',
  },
  {
    id: 'documented-only',
    section: '4.12',
    decision: 'With --documented-only, operations that rest on an assumption are a 404.',
  },
  {
    id: 'invalid-input',
    section: '7',
    decision:
      'A body that is not a JSON object in UTF-8 of at most 1 MiB, or whose content type is not JSON, a value of the wrong type or range, or a parameter given twice is a 400. The message names each field and its rule, and nothing is changed.',
  },
  {
    id: 'unknown-members',
    section: '4',
    decision:
      'Unknown body fields and query parameters are ignored; the journal carries a hint with the nearest known name.',
  },
  {
    id: 'internal-error',
    section: '7',
    decision:
      'A fault of the sandbox itself is a 500 with the simple body; its stack is printed on standard error only.',
  },
  {
    id: 'rate-limit',
    section: '8',
    decision:
      'The window is fixed and starts with the first request of a key. It ends after 60 s of wall time, or when an advance carries the clock 60 s on. Every authenticated answer has the three headers, a 401 has none; with the limit off (0) there are none.',
  },
  {
    id: 'timestamps',
    section: '4.6',
    decision:
      'Time filters take ISO 8601 dates and timestamps; without a zone they are UTC, a date means its midnight.',
  },
  {
    id: 'list-order',
    section: '2.7',
    decision: 'Lists are newest first: the reverse of the order of creation.',
  },
  {
    id: 'money',
    section: '2.3',
    decision:
      'An amount is a number from 0 to 1,000,000,000,000 with at most two decimals, in the currency of its card program. Nothing is converted.',
  },
  {
    id: 'identifiers',
    section: '2',
    decision:
      'Ids are prefixed (ch_, card_, prog_, txn_, tds_, evt_, use_, kycs_, req_) and, like names and card numbers, come from one seed: the same seed, fixture, frozen clock and requests give the same answers.',
  },

  // Cardholders and KYC
  {
    id: 'cardholder-creation',
    section: '3.5',
    decision: 'A new cardholder has status active and KYC status pending, and raises cardholder.created.',
  },
  {
    id: 'cardholder-uniqueness',
    section: '4.1',
    decision:
      'E-mail addresses (compared without regard to case) and external ids are unique for each partner, closed cardholders included.',
  },
  {
    id: 'reimport-order',
    section: '4.1',
    decision:
      'For an existing external id the checks come in this order: body, lock (a card weighs more than a submission), same source, status active, e-mail free, token fresh. A refusal changes nothing and uses up no token.',
  },
  {
    id: 'reimport-sources',
    section: '4.1',
    decision:
      'Re-import is for share-token sources; web again for the same external id is a 400. A re-import sends no event and keeps id and createdAt.',
  },
  {
    id: 'idp2-variant',
    section: '4.1',
    decision:
      'The idp2 variant is like idp1 with the field idp2ShareToken, and its cardholders have kycSource idp2. kycSource api cannot be created, only seeded.',
  },
  {
    id: 'share-tokens',
    section: '4.1',
    decision:
      'A share token belongs to one partner and one source; an unknown, used or expired one is a 400. Any text <source>_test_<approve|reject|manual>_<anything> counts as minted on first sight and stands for the person that the text always stands for.',
  },
  {
    id: 'address-fields',
    section: '2.1',
    decision:
      'Address fields in the body weigh more than those of the token. Reads never return the address; the control plane does. Country codes are capitals of ISO 3166-1.',
  },
  {
    id: 'web-kyc',
    section: '4.1',
    decision:
      'An unknown KYC session is a 404; one that is not approved, or was used by another cardholder, a 400. Name and address come from the session.',
  },
  {
    id: 'kyc-sessions',
    section: '4.12',
    decision:
      'Creating a KYC session takes an optional externalUserId and redirectUrl and answers 201 with id, url, status, externalUserId, createdAt and expiresAt (24 h later). A session goes from pending to approved, rejected or expired; a decision raises kyc_session.completed or kyc_session.failed.',
  },
  {
    id: 'kyc-initiation',
    section: '4.2',
    decision:
      'KYC initiation needs an active cardholder with nothing in flight or approved, else 400; a rejected one may be submitted again. It locks re-import for good and writes one kyc_verification usage record.',
  },
  {
    id: 'kyc-decision',
    section: '3.2',
    decision:
      'The simulated provider decides after the KYC delay what the token or session said, else it approves; manual waits for the control plane. The decision sends cardholder.kyc.updated, and an approval then cardholder.approved.',
  },
  {
    id: 'cardholder-moves',
    section: '3.1',
    decision:
      'Active and suspended change into each other, both into closed, which is final. The control plane moves them.',
  },
  {
    id: 'cardholder-list',
    section: '4.12',
    decision:
      'GET /partner/cardholders lists cardholders, with the filters status, kycStatus, externalUserId and email.',
  },
  {
    id: 'kyc-page',
    section: '4.12',
    decision:
      "The hosted page shows a made-up person, who can be changed, with approve and reject. It then redirects to redirectUrl with kycSessionId and status added to its query, or says how it ended. It is fenced like the control plane, without the token, and shown in frames of the partner's allowed origins only.",
  },

  // Programs, cards, usage
  {
    id: 'card-programs',
    section: '4.12',
    decision:
      'GET /partner/card-programs and /partner/card-programs/{id} show id, name, type, brand, currency, status, fees and createdAt.',
  },
  {
    id: 'card-issuance',
    section: '4.12',
    decision:
      'POST /partner/cards issues to an active cardholder with approved KYC, else 400. What the body leaves out comes from the program, the printed name from the cardholder. It sends card.issued and writes one card_issuance usage record.',
  },
  {
    id: 'card-moves',
    section: '3.3',
    decision:
      'GET /partner/cards/{id} reads a card; POST …/activate, freeze, unfreeze and cancel move it: created to active, active to frozen and back, any but cancelled to cancelled. Any other move is a 400; each move sends card.status.changed.',
  },
  {
    id: 'card-values',
    section: '2.2',
    decision:
      'type is virtual or physical, brand visa or mastercard. Numbers are of the test ranges 424242 and 555555 and leave the vault for no answer, log or journal. limit caps sales and cash together over all time; a limit of 0 allows nothing. spent.*.perTransaction is always 0.',
  },
  {
    id: 'reveal',
    section: '4.3',
    decision:
      "stylesheetUrl is optional, an absolute http(s) URL; copyPan is optional, false unless given. A cancelled card is a 400. The link shows the card once within 60 s of sandbox time; a used or late one is a 410, one with a wrong signature a 403. HEAD and OPTIONS do not use it up. Frames of the partner's allowed origins may show it, of all origins when there are none. Of a partner's links 1,000 are kept: those that are over give way to new ones, the oldest first, and are a 410 still.",
  },
  {
    id: 'filter-names',
    section: '4.4',
    decision:
      'The unnamed filters are called status and cardholderId for cards, and from, to, billingPeriod and type for usage records.',
  },
  {
    id: 'usage',
    section: '2.4',
    decision:
      "A usage record's amount is the program's fee and its billing period the month (UTC) of createdAt. A KYC verification refers to the cardholder. Usage never moves the balance.",
  },

  // The simulated card network and money
  {
    id: 'transactions',
    section: '4.12',
    decision:
      'GET /partner/transactions (filters cardId, status, from, to) and /partner/transactions/{id} show what cards were used for: id, cardId, cardholderId, type (sale or cash), status, amount, settledAmount (null unless settled), currency, merchant, declineReason, declineDetail, createdAt and updatedAt.',
  },
  {
    id: 'decline-reasons',
    section: '2.3',
    decision:
      'An authorization is declined for the first that holds: card not activated, frozen, cancelled or expired, cardholder not active, a window of its kind exceeded (per transaction, daily, monthly, all time), the limit of sales and cash together exceeded, more than the available balance. A caller may force these and other reasons, whatever the state. declineDetail names the limit and what was spent before where the reason is a limit, forced or not.',
  },
  {
    id: 'transaction-moves',
    section: '6.1',
    decision:
      'An authorized transaction is settled, for its amount or for less, or reversed; everything else is a 400. Each state sends card.transaction. Settling and reversing do not ask for the state of the card. An approved authorization writes one transaction_processing usage record, which refers to the transaction.',
  },
  {
    id: 'spend-windows',
    section: '2.3',
    decision:
      'Windows are the day and the month in UTC, by the sandbox clock. An authorization counts at once in the windows of its createdAt; a settlement corrects it there and a reversal gives it back there, however late. Declines never count.',
  },
  {
    id: 'merchants',
    section: '2',
    decision:
      'A merchant has name, mcc, city and country. What a simulated use of a card leaves out is made up from the seed.',
  },
  {
    id: 'balance',
    section: '4.12',
    decision:
      "GET /partner/balance shows available, held, currency, lowThreshold, alertThreshold and updatedAt, the time of the last movement. The currency is that of the partner's first card program; amounts of other programs count as they are. An authorization moves its amount from available to held; a settlement takes it out of held, a reversal moves it back. A partner begins with 10,000 unless its fixture says otherwise; a balance holds at most 1,000,000,000,000.",
  },
  {
    id: 'balance-events',
    section: '6.1',
    decision:
      'balance.top_up follows each top-up. balance.alert follows a movement of money that takes available from the alert threshold or above to below it; a change of the threshold alone crosses nothing. balance.low comes from a check at 00:00 UTC of the sandbox clock on each day on which available is below the low threshold; a timer for it is pending only while that is so.',
  },
  {
    id: 'three-d-secure',
    section: '6.1',
    decision:
      'The control plane starts a challenge on any card that is not cancelled, for 10 unless an amount is named. Its six-digit OTP goes out in card.3ds_otp only and is good for 60 s of sandbox time. The right one approves; the third wrong one, or any that is late, fails the challenge for good, and it stays failed whatever comes next. An approved challenge takes no OTP any more (400). Of the challenges of a partner 1,000 are kept: those that are over give way to new ones, the oldest first, and are a 404 then.',
  },

  // Webhooks and events
  {
    id: 'webhook-config',
    section: '4.8',
    decision:
      'Before it is set, URL and secret are null and nothing is subscribed. A change keeps what it leaves out and answers with the whole; null clears the URL. A URL needs a secret stored or sent with it, and may hold no credentials; http:// needs --allow-http-webhooks. All twelve event types can be subscribed to; duplicates are dropped, an unknown one is a 400.',
  },
  {
    id: 'event-data',
    section: '6',
    decision:
      'An event reports the record as its read operation answers at that moment, and is raised after that state can be read.',
  },
  {
    id: 'event-body',
    section: '6.2',
    decision:
      'The body is {id, eventType, createdAt, data} with the id of the delivery event. Its bytes are fixed when the event happens; every attempt sends the same, signed anew with the secret and the wall time of that moment.',
  },
  {
    id: 'deliveries',
    section: '2.5',
    decision:
      'A type that is not subscribed to leaves no record. Subscribed without a URL, the record is failed after 0 attempts. An attempt goes to the URL configured at that moment; where it was cleared meanwhile, the attempt counts as one that failed.',
  },
  {
    id: 'kept-deliveries',
    section: '2.5',
    decision:
      'Of the deliveries that are delivered or failed, the last 10,000 are kept; with each that is decided beyond them, the one decided longest ago is forgotten. Pending ones always stay.',
  },
  {
    id: 'unrecorded-events',
    section: '6.1',
    decision:
      'card.3ds_otp, cardholder.approved and balance.alert are delivered, signed and retried like the others, but are not among the delivery events of the API; the control plane shows them.',
  },
  {
    id: 'delivery-attempts',
    section: '6.4',
    decision:
      'An attempt is a POST that may take 10 s; redirects are not followed and count as failures; of the answer at most 64 KiB are kept. A time-out or a failed connection has no response status. Attempts of one event never overlap, those of different events may.',
  },
  {
    id: 'retry-schedule',
    section: '6.4',
    decision:
      'The delays between attempts are divided by --retry-speed (60 unless given) and counted on the sandbox clock from the start of the attempt before. nextRetryAt shows the divided time, and is null before the first attempt.',
  },
  {
    id: 'manual-retry',
    section: '4.11',
    decision:
      'Only a failed delivery event can be retried by hand, else 400. It is pending, is attempted once at once, and is then delivered, or failed again without automatic retries. The answer is the single read.',
  },
  {
    id: 'webhook-faults',
    section: '6',
    decision:
      'A webhook fault acts on the next deliveries of its type, times times or until it is deleted. delay (1 s) and reorder (until another delivery of the partner overtook it, at most 5 s) hold the first attempt back on the sandbox clock; drop counts as a failed attempt; duplicate sends an attempt twice and counts the first; stale_timestamp signs as of an hour ago. delayMs sets another measure. There are at most 1,000, as of the faults of the API.',
  },
  {
    id: 'triggered-events',
    section: '6',
    decision:
      'The control plane raises any event type about the record that is named, else about the newest of its kind, else about a sample. It tells what is, changes nothing, and data replaces members of what is told.',
  },
  {
    id: 'waiting',
    section: '6',
    decision:
      'wait answers with the oldest delivery that fits, past ones included, of any partner unless one is named; after its time-out, in wall time, it is a 408. settle answers when no attempt is under way or due; a receiver that asks for it before it answers waits for itself, until its attempt times out.',
  },

  // The sandbox itself
  {
    id: 'clock',
    section: '1',
    decision:
      'Timestamps, all delays, expiries and grace periods, retries, billing periods and the daily check follow the sandbox clock. Signatures, rate-limit headers and time-outs of connections are in wall time.',
  },
  {
    id: 'clock-moves',
    section: '1',
    decision:
      'An advance runs everything that falls due on its way, each at its own time. Moves of the clock wait for each other and for webhooks under way; one that a receiver may have asked for, while another move waits for its answer, is a 409 after 2.5 s, and so is one that a reset, a restore or a loaded state overtakes.',
  },
  {
    id: 'key-rotation',
    section: '5.6',
    decision:
      "Rotation issues a new key; the old one works until the grace period ends, 24 h unless told otherwise. Of a partner's keys 1,000 are kept: those that no longer work give way to new ones, the oldest first, and are unknown then.",
  },
  {
    id: 'partner-settings',
    section: '5.4',
    decision:
      'The settings of a partner are ipAllowList, allowedOrigins, rateLimitPerMinute, lowThreshold and alertThreshold. Changes apply at once.',
  },
  {
    id: 'control-plane',
    section: '1',
    decision:
      'Whatever drives the sandbox itself is below /_sandbox, takes no API key and is no part of the imitated service.',
  },
  {
    id: 'control-records',
    section: '1',
    decision:
      'The control plane lists records of a partner as plain lists, newest first, 200 of them unless told otherwise. Such reads leave no trace in the journal, and count towards no rate limit.',
  },
  {
    id: 'control-fence',
    section: '1',
    decision:
      'The control plane refuses (403) a Host that is not its own or loopback and an Origin that is not its own. When the sandbox listens beyond loopback, every call needs the control token, else 401.',
  },
  {
    id: 'pages',
    section: '1',
    decision:
      '/reveal and /kyc are pages for browsers, outside the API and its journal. A refusal of theirs is HTML for those who accept it, else the simple error body.',
  },
  {
    id: 'state',
    section: '1',
    decision:
      'The state document holds every row, the clock with its timers, and where chance stands; not the journal, rate windows and faults. A loaded world goes on at the moment at which it was saved. A document that does not fit, or contradicts itself, is a 400 that names table, row and rule, and changes nothing.',
  },
  {
    id: 'state-file',
    section: '1',
    decision:
      'With --state FILE the world is loaded from the file, when it is there, instead of from the fixtures, and saved into it at the end and on POST /_sandbox/state/save. A reset goes back to the fixtures. The clock of a loaded state weighs more than --clock.',
  },
  {
    id: 'checkpoints',
    section: '1',
    decision:
      'Checkpoints are kept in memory and survive resets. Saving under a name that is taken replaces what it held; a checkpoint can be restored any number of times, its clock and timers included. An unknown name is a 404.',
  },
  {
    id: 'new-partners',
    section: '1',
    decision:
      "POST /_sandbox/partners adds a partner with a new key and the records of a fixture's first partner, under new ids; without a fixture, with a card program only. Offered are the built-in fixtures and those that the sandbox was started with.",
  },
  {
    id: 'journal',
    section: '1',
    decision:
      'The journal keeps the last 1,000 API requests, bodies cut at 16 KiB and secrets masked. Each answer names its entry in the header X-Sandbox-Request.',
  },
  {
    id: 'faults',
    section: '7',
    decision:
      'Faults force answers to API requests that are authenticated and within the rate limit, before anything else of them is looked at, or (after) once they are handled. One acts on a request: its own X-Sandbox-Fault, else the first armed that matches and has let enough through; those behind it do not count the request. Delays are wall time and at most 60 s; preflights have no faults. There are at most 1,000; those that are used up give way to new ones, the oldest first.',
  },
  {
    id: 'event-stream',
    section: '1',
    decision:
      'GET /_sandbox/stream tells requests, events, deliveries, moves of the clock and resets as server-sent events, secrets masked, numbered since the start. Nothing is sent twice or later; a reader that falls more than 1 MiB behind is hung up on.',
  },
];

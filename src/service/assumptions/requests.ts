import type { Assumption } from '../../core/world/world.ts';

export const requestAssumptions = [
  {
    id: 'authentication',
    section: '7',
    decision:
      'A missing, unknown or expired API key is a 401. This applies to paths that do not exist as well.',
  },
  {
    id: 'live-keys',
    section: '5.2',
    decision:
      'A key that starts with sk_live_ is a 401 that says live keys do not belong in a sandbox. The key is never logged, stored or echoed.',
  },
  {
    id: 'ip-allow-list',
    section: '5.4',
    decision:
      'If the allow-list is not empty, a caller that is not on it is refused. Entries are public IP addresses and CIDR ranges, loopback addresses, or localhost; others, such as private addresses, are a 400. X-Forwarded-For is used only with --trust-proxy, and then its last entry. See docs/control-plane.md#settings-of-a-partner.',
  },
  {
    id: 'allow-list-status',
    section: '7',
    decision: 'A caller that is not on the allow-list gets a 401, or a 403 if that is set.',
    setting: { type: 'choice', choices: [401, 403], default: 401 },
  },
  {
    id: 'host',
    section: '1',
    decision:
      'A sandbox that listens on loopback answers only to loopback addresses, localhost, names below localhost, names in --allow-host and hosts on the left side of --map; any other Host header is a 400 on every path but GET /_sandbox/health. A sandbox that listens beyond loopback answers to every name, or with --allow-host or --public-url only to those, to its own names and to the loopback ones. In process there is no Host rule.',
  },
  {
    id: 'cors',
    section: '5.5',
    decision:
      'A preflight request gets a 204 without an API key, so its origin is checked against the allowed origins of all partners. The request that follows is checked against those of its own partner; a 401 without a known key can be read by every page. An origin that is not allowed still gets its response, without CORS headers and with a hint in the journal.',
  },
  {
    id: 'unknown-id',
    section: '7',
    decision:
      'An unknown id is a 404 that names the kind of record and the id. So is the id of a record that belongs to another partner.',
  },
  {
    id: 'unknown-operation',
    section: '7',
    decision:
      'An unknown path or method is a 404 that starts with "no such operation" and names the nearest known operation.',
  },
  {
    id: 'documented-only',
    section: '4.12',
    decision: 'With --documented-only, operations that rest on an assumption return a 404.',
  },
  {
    id: 'invalid-input',
    section: '7',
    decision:
      'Invalid input is a body that is larger than 1 MiB, is not UTF-8, is not a JSON object (null and an empty text are taken where there is none) or has another content type than JSON; null for an optional member; a value of the wrong type or out of range; a list of more than 1,000 entries; a query parameter that occurs twice. The message names each field and its rule, and nothing is changed. While unfinished bodies hold 64 MiB, a further body of more than 64 KiB is a 503 that closes its connection.',
  },
  {
    id: 'invalid-input-status',
    section: '7',
    decision:
      'Invalid input of the API, an unknown share token included, is a 400, or a 422 if that is set. Refusals because of the state of a record are a 400 in both cases.',
    setting: { type: 'choice', choices: [400, 422], default: 400 },
  },
  {
    id: 'unknown-members',
    section: '4',
    decision:
      'Unknown body fields and query parameters of the API are ignored. The journal entry has a hint that names the nearest known field. Below /_sandbox they are a 400, because an ignored scope or limit does harm.',
  },
  {
    id: 'internal-error',
    section: '7',
    decision:
      'An internal error of the sandbox is a 500 with the simple error body. The stack trace goes to standard error only.',
  },
  {
    id: 'rate-limit',
    section: '8',
    decision:
      'Each API key has a fixed window that starts with its first request, and ends after 60 s of wall time or when the sandbox clock is advanced by 60 s, whichever comes first. Every authenticated response has the three rate-limit headers; a 401 has none. A limit of 0 turns rate limiting and its headers off.',
  },
  {
    id: 'timestamps',
    section: '4.6',
    decision:
      'Times are accepted as ISO 8601 dates and timestamps in the extended form, with Z or an offset, with and without fractions. A timestamp without a time zone is UTC; a date is midnight UTC. The basic form and days that do not exist are a 400.',
  },
  {
    id: 'list-order',
    section: '2.7',
    decision: 'Lists of the API are ordered by creation, newest first. With oldest, the oldest is first.',
    setting: { type: 'choice', choices: ['newest', 'oldest'], default: 'newest' },
  },
  {
    id: 'money',
    section: '2.3',
    decision:
      'An amount is a number from 0 to 1,000,000,000,000 with at most two decimals, in the currency of the card program. More decimals are a 400, also in the data of triggered events, and also if they are zeros or would be lost in rounding: the text of the body decides. Currencies are never converted.',
  },
  {
    id: 'amount-unit',
    section: '2.3',
    decision:
      'Amounts of the API and of webhooks are in units of the currency. With minor, they are whole numbers of hundredths, in requests and responses. The control plane and fixtures always use units of the currency.',
    setting: { type: 'choice', choices: ['major', 'minor'], default: 'major' },
  },
  {
    id: 'identifiers',
    section: '2',
    decision:
      'Ids have a prefix (ch_, card_, prog_, txn_, tds_, evt_, use_, kycs_, req_). Ids, names and card numbers are generated from one seed: the same seed, fixtures, frozen clock and requests produce the same responses.',
  },
  {
    id: 'secrets',
    section: '5.6',
    decision:
      'With --seed, and in process, all secrets come from the seed too. A server without --seed takes the signatures of reveal links, new and rotated API keys, passcodes and generated webhook secrets from the randomness of the operating system. The state document contains the key of these secrets. See docs/state.md#secrets.',
  },
] as const satisfies readonly Assumption[];

import type { Exchange } from '../../evidence.ts';
import type { Lab } from '../lab/lab.ts';
import { finding, measurement, type Probe, Undecided } from '../probe.ts';
import { isOk } from '../service/responses.ts';

const CARDS = '/partner/cards';
const UNAUTHORIZED = 401;
const NO_CONTENT = 204;
/** A key that no service has given out. */
const MADE_UP_KEY = 'sk_test_card-sandbox-calibration-unknown';
const BLOCKED = 'a key whose IP allow-list does not contain this machine: --var blockedKey=…';
const LIMIT_HEADERS = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];

/** Probes of who may send requests, from where and how many. */
export const accessProbes: readonly Probe[] = [
  {
    id: 'authentication',
    needs: 'read',
    takes: 'a response to requests without a valid key',
    async probe({ service }) {
      const tries = [
        await service.call({ method: 'GET', path: CARDS, apiKey: null }),
        await service.call({ method: 'GET', path: CARDS, apiKey: MADE_UP_KEY }),
        await service.call({ method: 'GET', path: '/partner/no-such-operation', apiKey: null }),
      ];
      const seen = `without a key ${tries[0]?.status}, with an unknown key ${tries[1]?.status}, without a key on an unknown path ${tries[2]?.status}`;
      return finding(
        tries.every(({ status }) => status === UNAUTHORIZED),
        seen,
        ...tries,
      );
    },
  },
  {
    id: 'ip-allow-list',
    needs: 'read',
    takes: BLOCKED,
    variables: ['blockedKey'],
    async probe(lab) {
      const refused = await withBlockedKey(lab);
      return finding(true, `a caller that is not on the allow-list gets a ${refused.status}`, refused);
    },
  },
  {
    id: 'allow-list-status',
    needs: 'read',
    takes: BLOCKED,
    variables: ['blockedKey'],
    async probe(lab) {
      const refused = await withBlockedKey(lab);
      const seen = `a caller that is not on the allow-list gets a ${refused.status}`;
      return measurement(refused.status, seen, refused);
    },
  },
  {
    id: 'cors',
    needs: 'read',
    takes: 'a response to a preflight request',
    async probe({ service }) {
      const preflight = await service.call({
        method: 'OPTIONS',
        path: CARDS,
        apiKey: null,
        headers: {
          Origin: 'https://card-sandbox-calibration.example.com',
          'Access-Control-Request-Method': 'GET',
        },
      });
      const seen = `a preflight request without a key gets a ${preflight.status}`;
      return finding(preflight.status === NO_CONTENT, seen, preflight);
    },
  },
  {
    id: 'rate-limit',
    needs: 'read',
    takes: 'a service with a rate limit',
    async probe({ service }) {
      const first = await service.get(CARDS, { limit: '1' });
      const second = await service.get(CARDS, { page: '0' });
      const refused = await service.call({ method: 'GET', path: CARDS, apiKey: MADE_UP_KEY });
      if (headerCount(first) === 0) throw new Undecided('a rate limit; its headers are missing', first);
      const [before, after] = [first, second].map(({ headers }) => Number(headers['x-ratelimit-remaining']));
      const sharesWindow = first.headers['x-ratelimit-reset'] === second.headers['x-ratelimit-reset'];
      const counts = !sharesWindow || (after ?? 0) < (before ?? 0);
      const seen = `${headerCount(second)} of 3 headers with a refused input, ${headerCount(refused)} with a ${refused.status}; ${before} requests left, then ${after}`;
      const holds = [first, second].every(each => headerCount(each) === 3) && headerCount(refused) === 0;
      return finding(holds && counts, seen, first, second, refused);
    },
  },
  {
    id: 'key-rotation',
    needs: 'read',
    takes: 'the key before the last rotation, within its grace period: --var previousKey=…',
    variables: ['previousKey'],
    async probe({ service, variables: { previousKey } }) {
      if (previousKey === undefined) throw new Undecided(this.takes);
      const used = await service.call({ method: 'GET', path: CARDS, apiKey: previousKey });
      return finding(isOk(used), `the previous key gets a ${used.status}`, used);
    },
  },
];

/** Sends a request with a key that is refused for this machine. Rejects with Undecided when it is not. */
async function withBlockedKey({ service, variables: { blockedKey } }: Lab): Promise<Exchange> {
  if (blockedKey === undefined) throw new Undecided(BLOCKED);
  const refused = await service.call({ method: 'GET', path: CARDS, apiKey: blockedKey });
  if (isOk(refused)) throw new Undecided(BLOCKED, refused);
  return refused;
}

function headerCount({ headers }: Exchange): number {
  return LIMIT_HEADERS.filter(name => headers[name] !== undefined).length;
}

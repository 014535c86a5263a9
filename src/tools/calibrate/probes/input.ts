import { finding, type Probe, Undecided } from '../probe.ts';
import {
  hasExactly,
  isInvalid,
  isOk,
  itemsOf,
  messageOf,
  objectOf,
  textOf,
  totalOf,
} from '../service/responses.ts';

const CARDS = '/partner/cards';
const EVENTS = '/partner/webhooks/events';
const USAGE = '/partner/usage/records';
const NOT_FOUND = 404;
const UNKNOWN_ID = 'card-sandbox-calibration-unknown';

/** Probes of input, errors and values in general. */
export const inputProbes: readonly Probe[] = [
  {
    id: 'unknown-id',
    needs: 'read',
    takes: 'a response to a read of an unknown id',
    async probe({ service }) {
      const reads = [
        await service.get(`/partner/cardholders/${UNKNOWN_ID}`),
        await service.get(`${EVENTS}/${UNKNOWN_ID}`),
      ];
      const isSimple = reads.every(({ body }) => hasExactly(body, ['success', 'error']));
      const namesId = reads.every(each => messageOf(each).includes(UNKNOWN_ID));
      const statuses = reads.map(({ status }) => status).join(' and ');
      const seen = `reads of unknown ids get ${statuses}, ${namesId ? 'and' : 'but'} the message ${namesId ? 'names' : 'does not name'} the id`;
      return finding(
        isSimple && namesId && reads.every(({ status }) => status === NOT_FOUND),
        seen,
        ...reads,
      );
    },
  },
  {
    id: 'unknown-operation',
    needs: 'read',
    takes: 'a response to an unknown path',
    async probe({ service }) {
      const unknown = await service.get('/partner/cardz');
      const seen = `an unknown path gets a ${unknown.status}: ${messageOf(unknown)}`;
      const holds = unknown.status === NOT_FOUND && /^no such operation\b/.test(messageOf(unknown));
      return finding(holds, seen, unknown);
    },
  },
  {
    id: 'invalid-input',
    needs: 'read',
    takes: 'responses to invalid queries',
    async probe({ service }) {
      const queries = [{ page: '0' }, { limit: '101' }, { limit: 'ten' }];
      const tries = [];
      for (const query of queries) tries.push(await service.get(CARDS, query));
      tries.push(await service.get(EVENTS, { status: UNKNOWN_ID }));
      tries.push(await service.get(EVENTS, { from: 'yesterday' }));
      const accepted = tries.filter(each => !isInvalid(each));
      const names = tries.every(each => /page|limit|status|from/.test(messageOf(each)));
      const seen =
        accepted.length === 0
          ? `page=0, limit=101, limit=ten, an unknown status and from=yesterday are refused, ${names ? 'and' : 'but'} the messages ${names ? 'name' : 'do not name'} the field`
          : `${accepted.length} of ${tries.length} invalid queries are not refused as input`;
      return finding(accepted.length === 0 && names, seen, ...tries);
    },
  },
  {
    id: 'unknown-members',
    needs: 'read',
    takes: 'a response to a query with an unknown parameter',
    async probe({ service }) {
      const plain = await service.get(CARDS);
      const extended = await service.get(CARDS, { cardSandboxCalibration: 'unknown' });
      const isIgnored = isOk(extended) && totalOf(extended) === totalOf(plain);
      return finding(isIgnored, `an unknown query parameter gets a ${extended.status}`, extended);
    },
  },
  {
    id: 'timestamps',
    needs: 'read',
    takes: 'responses to time filters',
    async probe({ service }) {
      const tries = [];
      for (const from of ['2020-02-29', '2020-02-29T10:00:00', '2020-02-29T10:00:00.5+01:00']) {
        tries.push(await service.get(EVENTS, { from, limit: '1' }));
      }
      const refused = tries.filter(each => !isOk(each));
      const seen = `of a date, a timestamp without and one with a time zone, ${refused.length} are refused`;
      return finding(refused.length === 0, seen, ...tries);
    },
  },
  {
    id: 'identifiers',
    needs: 'read',
    takes: 'a list with a record',
    async probe({ service }) {
      const lists = [
        ['card_', await service.get(CARDS, { limit: '5' })],
        ['use_', await service.get(USAGE, { limit: '5' })],
        ['evt_', await service.get(EVENTS, { limit: '5' })],
      ] as const;
      const ids = lists.flatMap(([prefix, list]) =>
        itemsOf(list).map(item => ({ prefix, id: textOf(item, 'id') })),
      );
      const exchanges = lists.map(([, list]) => list);
      if (ids.length === 0) throw new Undecided('a card, a usage record or a delivery event', ...exchanges);
      const other = ids.find(({ prefix, id }) => !id.startsWith(prefix));
      const seen =
        other === undefined ? 'ids have the prefixes of their kinds' : `there is an id ${other.id}`;
      return finding(other === undefined, seen, ...exchanges);
    },
  },
  {
    id: 'address-fields',
    needs: 'read',
    takes: 'a cardholder',
    async probe({ service }) {
      const list = await service.get('/partner/cardholders', { limit: '1' });
      const cardholder = objectOf(itemsOf(list)[0]);
      if (Object.keys(cardholder).length === 0) throw new Undecided('a cardholder', list);
      const address = Object.keys(cardholder).filter(name => /residence|postal|address/i.test(name));
      const seen =
        address.length === 0 ? 'no read returns the address' : `reads return ${address.join(', ')}`;
      return finding(address.length === 0, seen, list);
    },
  },
];

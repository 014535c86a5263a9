import { type FoundParameter, findParameter } from '../lab/find-parameter.ts';
import type { Lab } from '../lab/lab.ts';
import type { Filter } from '../lab/parameter-names.ts';
import { type EntryId, finding, measured, type Probe, Undecided } from '../probe.ts';
import { itemsOf, totalOf } from '../service/responses.ts';

const CARDS = '/partner/cards';
const USAGE = '/partner/usage/records';
const IMPOSSIBLE = 'card-sandbox-calibration';
const LONG_AGO = '1971-01-01T00:00:00Z';
const FAR_AHEAD = '2999-01-01T00:00:00Z';
const CARDHOLDER_LIST = 'GET /partner/cardholders';

/** Probes of the filters that the interface does not name. */
export const filterProbes: readonly Probe[] = [
  parameterProbe('card-status-parameter', CARDS, 'status', [IMPOSSIBLE]),
  parameterProbe('usage-from-parameter', USAGE, 'from', [FAR_AHEAD, IMPOSSIBLE]),
  parameterProbe('usage-to-parameter', USAGE, 'to', [LONG_AGO, IMPOSSIBLE]),
  parameterProbe('usage-period-parameter', USAGE, 'period', ['1971-01', IMPOSSIBLE]),
  parameterProbe('usage-type-parameter', USAGE, 'type', [IMPOSSIBLE]),
  {
    id: 'cardholder-parameter',
    needs: 'read',
    takes: 'a card',
    async probe(lab) {
      const cards = await lab.service.get(CARDS, { limit: '1' });
      if (totalOf(cards) === 0) throw new Undecided(this.takes, cards);
      const filtered = await lab.service.get(CARDS, { cardholderId: IMPOSSIBLE });
      const seen = `with the cardholderId of nobody, GET ${CARDS} returns ${totalOf(filtered)} of ${totalOf(cards)} cards`;
      return finding(totalOf(filtered) === 0, seen, cards, filtered);
    },
  },
  {
    id: 'cardholder-list',
    needs: 'read',
    takes: 'a list of cardholders',
    async probe({ service }) {
      const path = '/partner/cardholders';
      const all = await service.get(path, { limit: '100' });
      const [first] = itemsOf(all);
      if (first === undefined) {
        if (all.status === 200) throw new Undecided('a cardholder', all);
        return finding(false, `${CARDHOLDER_LIST} gets a ${all.status}`, all);
      }
      const filtered = [all];
      for (const name of ['status', 'kycStatus', 'externalUserId', 'email']) {
        filtered.push(await service.get(path, { [name]: String(first[name]), limit: '100' }));
      }
      const names = ['', 'status', 'kycStatus', 'externalUserId', 'email'];
      const without = names.filter(
        (name, index) =>
          name !== '' &&
          filtered[index] !== undefined &&
          !(
            itemsOf(filtered[index]).length > 0 &&
            itemsOf(filtered[index]).every(each => each[name] === first[name])
          ),
      );
      const seen =
        without.length === 0
          ? `${CARDHOLDER_LIST} filters by status, kycStatus, externalUserId and email`
          : `${CARDHOLDER_LIST} does not filter by ${without.join(', ')}`;
      return finding(without.length === 0, seen, ...filtered);
    },
  },
];

function parameterProbe(id: EntryId, path: string, filter: Filter, values: readonly string[]): Probe {
  return {
    id,
    needs: 'read',
    takes: `the name of the filter in --var parameters=…, or a record that it leaves out`,
    variables: ['parameters'],
    async probe(lab: Lab) {
      const found: FoundParameter = await findParameter(lab, path, { filter, values });
      return measured(found.name, `${found.name} filters GET ${path}`, ...found.exchanges);
    },
  };
}

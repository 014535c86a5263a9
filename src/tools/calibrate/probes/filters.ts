import type { AssumptionId } from '../../../client/generated/assumptions.ts';
import { type Bait, type FoundParameter, findParameter } from '../lab/find-parameter.ts';
import type { Lab } from '../lab/lab.ts';
import { finding, measurement, type Probe, Undecided } from '../probe.ts';
import { itemsOf, totalOf } from '../service/responses.ts';

const CARDS = '/partner/cards';
const USAGE = '/partner/usage/records';
const IMPOSSIBLE = 'card-sandbox-calibration';
const LONG_AGO = '1971-01-01T00:00:00Z';
const FAR_AHEAD = '2999-01-01T00:00:00Z';
const CARDHOLDER_LIST = 'GET /partner/cardholders';

/** Probes of the filters that the interface does not name. */
export const filterProbes: readonly Probe[] = [
  parameterProbe('card-status-parameter', CARDS, { filter: 'status', values: [IMPOSSIBLE], valid: 'active' }),
  parameterProbe('usage-from-parameter', USAGE, {
    filter: 'from',
    values: [FAR_AHEAD, IMPOSSIBLE],
    valid: LONG_AGO,
  }),
  parameterProbe('usage-to-parameter', USAGE, {
    filter: 'to',
    values: [LONG_AGO, IMPOSSIBLE],
    valid: FAR_AHEAD,
  }),
  parameterProbe('usage-period-parameter', USAGE, {
    filter: 'period',
    values: ['1971-01', IMPOSSIBLE],
    valid: '2026-01',
  }),
  parameterProbe('usage-type-parameter', USAGE, {
    filter: 'type',
    values: [IMPOSSIBLE],
    valid: 'card_issuance',
  }),
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

function parameterProbe(id: AssumptionId, path: string, bait: Bait): Probe {
  return {
    id,
    needs: 'read',
    takes: `the name of the filter in --var parameters=…, or a record that it leaves out`,
    variables: ['parameters'],
    async probe(lab: Lab) {
      const found: FoundParameter = await findParameter(lab, path, bait);
      return measurement(found.name, `${found.name} filters GET ${path}`, ...found.exchanges);
    },
  };
}

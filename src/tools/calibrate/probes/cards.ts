import { changeCard, issueCard, tryToIssue } from '../lab/cards.ts';
import { createCardholder, programId } from '../lab/people.ts';
import { finding, measurement, type Probe, Undecided } from '../probe.ts';
import { isInvalid, isOk, itemsOf, missingOf, objectOf, textOf } from '../service/responses.ts';
import { listOf } from './lists.ts';

const CARD_MEMBERS = 'id type brand status nameOnCard limit last4 programId createdAt spendControl'.split(
  ' ',
);
const APPROVED = 'a cardholder with approved KYC, for whom the service issues a card: --var cardholderId=…';

/** Probes of issuing cards, of their states and of amounts. */
export const cardProbes: readonly Probe[] = [
  {
    id: 'card-issuance',
    needs: 'write',
    takes: APPROVED,
    variables: ['cardholderId', 'cardProgramId'],
    async probe(lab) {
      const issued = await issueCard(lab);
      const missing = missingOf(issued.body, CARD_MEMBERS);
      const stranger = await createCardholder(lab).catch(() => null);
      const refused =
        stranger === null
          ? null
          : await lab.service.post('/partner/cards', {
              cardholderId: textOf(stranger.body, 'id'),
              cardProgramId: await programId(lab),
            });
      const seen = `issuing a card gets a ${issued.status}${missing && ` without ${missing}`}${refused === null ? '' : `, without approved KYC a ${refused.status}`}`;
      const holds = issued.status === 201 && missing === '' && (refused === null || isInvalid(refused));
      return finding(holds, seen, issued, ...(refused === null ? [] : [refused]));
    },
  },
  {
    id: 'card-initial-status',
    needs: 'write',
    takes: APPROVED,
    variables: ['cardholderId', 'cardProgramId'],
    async probe(lab) {
      const issued = await issueCard(lab);
      const status = textOf(issued.body, 'status');
      return measurement(status, `a new card has the status ${status}`, issued);
    },
  },
  {
    id: 'card-moves',
    needs: 'write',
    takes: APPROVED,
    variables: ['cardholderId', 'cardProgramId'],
    async probe(lab) {
      const issued = await tryToIssue(lab);
      if (!isOk(issued)) throw new Undecided(this.takes, issued);
      const id = textOf(issued.body, 'id');
      const tries = [];
      if (textOf(issued.body, 'status') === 'created') tries.push(await changeCard(lab, id, 'activate'));
      for (const action of ['freeze', 'unfreeze', 'cancel']) tries.push(await changeCard(lab, id, action));
      const refused = await changeCard(lab, id, 'activate');
      const states = tries.map(each => textOf(each.body, 'status') || each.status).join(', ');
      const seen = `activate, freeze, unfreeze and cancel lead to ${states}; activating a cancelled card gets a ${refused.status}`;
      const holds = /^(?:active, )?frozen, active, cancelled$/.test(states) && isInvalid(refused);
      return finding(holds, seen, ...tries, refused);
    },
  },
  {
    id: 'money',
    needs: 'write',
    takes: APPROVED,
    variables: ['cardholderId', 'cardProgramId'],
    async probe(lab) {
      await issueCard(lab);
      const tried = await tryToIssue(lab, { limit: 12.345 });
      return finding(isInvalid(tried), `an amount with three decimals gets a ${tried.status}`, tried);
    },
  },
  {
    id: 'amount-unit',
    needs: 'read',
    takes: 'an amount with decimals, or --write and a cardholder with approved KYC',
    variables: ['cardholderId', 'cardProgramId'],
    async probe(lab) {
      for (const path of ['/partner/usage/records', '/partner/transactions', '/partner/cards']) {
        const list = await listOf(lab, path);
        const amounts = itemsOf(list).flatMap(({ amount, limit }) => [amount, limit]);
        const fraction = amounts.find(each => typeof each === 'number' && !Number.isInteger(each));
        if (fraction !== undefined) return measurement('major', `there is an amount ${fraction}`, list);
      }
      if (!lab.write) throw new Undecided(this.takes);
      await issueCard(lab);
      const decimal = await tryToIssue(lab, { limit: 12.34 });
      if (isOk(decimal) && objectOf(decimal.body).limit === 12.34) {
        return measurement('major', 'a limit of 12.34 is accepted', decimal);
      }
      const whole = await tryToIssue(lab, { limit: 1234 });
      if (isOk(decimal) || !isOk(whole)) throw new Undecided(this.takes, decimal, whole);
      const seen = `a limit of 12.34 gets a ${decimal.status}, one of 1234 a ${whole.status}`;
      return measurement('minor', seen, decimal, whole);
    },
  },
];

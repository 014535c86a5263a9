import type { Exchange } from '../../evidence.ts';
import type { Lab } from '../lab/lab.ts';
import { createCardholder, newCardholderBody, tokenFor } from '../lab/people.ts';
import { finding, measurement, type Probe, Undecided } from '../probe.ts';
import { isInvalid, itemsOf, messageOf, objectOf, textOf, totalOf } from '../service/responses.ts';

const CARDHOLDERS = '/partner/cardholders';
const OK = 200;
const CREATED = 201;
const CONFLICT = 409;
const TOKENS = 'a share token that the service accepts: --var shareTokens=…';

/** Probes of creating cardholders and re-importing their KYC. */
export const cardholderProbes: readonly Probe[] = [
  {
    id: 'magic-tokens',
    needs: 'write',
    takes: 'a response to a magic token',
    async probe(lab) {
      const name = lab.newName();
      const body = { ...newCardholderBody(lab), idp1ShareToken: `idp1_test_approve_${name}` };
      const tried = await lab.service.post(CARDHOLDERS, body);
      const seen = `a magic token gets a ${tried.status}${messageOf(tried) && `: ${messageOf(tried)}`}`;
      if (tried.status === CREATED) return measurement('on', seen, tried);
      if (!isInvalid(tried) && tried.status !== 404) throw new Undecided(this.takes, tried);
      return measurement('off', seen, tried);
    },
  },
  {
    id: 'cardholder-creation',
    needs: 'write',
    takes: TOKENS,
    variables: ['shareTokens'],
    async probe(lab) {
      const created = await first(lab);
      const { status, kycStatus } = objectOf(created.body);
      const seen = `a new cardholder has status ${status} and KYC status ${kycStatus}`;
      return finding(status === 'active' && kycStatus === 'pending', seen, created);
    },
  },
  {
    id: 'cardholder-uniqueness',
    needs: 'write',
    takes: TOKENS,
    variables: ['shareTokens'],
    async probe(lab) {
      const created = await first(lab);
      const again = await lab.service.post(CARDHOLDERS, {
        ...newCardholderBody(lab),
        email: textOf(created.body, 'email'),
      });
      const seen = `the e-mail address of another cardholder gets a ${again.status}`;
      return finding(again.status === CONFLICT, seen, created, again);
    },
  },
  {
    id: 'email-comparison',
    needs: 'read',
    takes: 'a cardholder in a list that filters by email, or --write and two share tokens',
    variables: ['shareTokens'],
    async probe(lab) {
      const list = await lab.service.get(CARDHOLDERS, { limit: '1' });
      const email = textOf(itemsOf(list)[0], 'email');
      const [same, other] = [
        await lab.service.get(CARDHOLDERS, { email }),
        await lab.service.get(CARDHOLDERS, { email: email.toUpperCase() }),
      ];
      const nobody = await lab.service.get(CARDHOLDERS, {
        email: 'nobody@card-sandbox-calibration.example.com',
      });
      if (totalOf(same) === 1 && totalOf(nobody) === 0) {
        const isFound = totalOf(other) === 1;
        const seen = `the filter email ${isFound ? 'finds' : 'does not find'} an address in upper case`;
        return measurement(isFound ? 'insensitive' : 'sensitive', seen, same, other);
      }
      if (!lab.write) throw new Undecided(this.takes, same);
      const created = await first(lab);
      const address = textOf(created.body, 'email').replace('card-sandbox', 'CARD-SANDBOX');
      const again = await lab.service.post(CARDHOLDERS, { ...newCardholderBody(lab), email: address });
      const seen = `an e-mail address that differs only in case gets a ${again.status}`;
      if (again.status === CONFLICT) return measurement('insensitive', seen, created, again);
      if (again.status === CREATED) return measurement('sensitive', seen, created, again);
      throw new Undecided(this.takes, again);
    },
  },
  {
    id: 'share-tokens',
    needs: 'write',
    takes: 'a response to an unknown share token',
    async probe(lab) {
      const body = { ...newCardholderBody(lab), idp1ShareToken: lab.newName() };
      const refused = await lab.service.post(CARDHOLDERS, body);
      return finding(isInvalid(refused), `an unknown share token gets a ${refused.status}`, refused);
    },
  },
  {
    id: 'reimport-sources',
    needs: 'write',
    takes: `${TOKENS} (two of them)`,
    variables: ['shareTokens'],
    async probe(lab) {
      const created = await first(lab);
      const again = await lab.service.post(CARDHOLDERS, { ...sameBody(created), idp1ShareToken: token(lab) });
      if (again.status !== OK) throw new Undecided(`${this.takes} (${messageOf(again)})`, created, again);
      const [before, after] = [objectOf(created.body), objectOf(again.body)];
      const isKept = before.id === after.id && before.createdAt === after.createdAt;
      const seen = `a re-import ${isKept ? 'keeps' : 'changes'} id and createdAt`;
      return finding(isKept, seen, created, again);
    },
  },
  {
    id: 'reimport-order',
    needs: 'write',
    takes: `${TOKENS} (two of them)`,
    variables: ['shareTokens'],
    async probe(lab) {
      const created = await first(lab);
      const other = await createCardholder(lab);
      const email = textOf(other.body, 'email');
      const conflict = await lab.service.post(CARDHOLDERS, {
        ...sameBody(created),
        email,
        idp1ShareToken: lab.newName(),
      });
      const read = await lab.service.get(`${CARDHOLDERS}/${textOf(created.body, 'id')}`);
      const isUnchanged = textOf(read.body, 'email') === textOf(created.body, 'email');
      const seen = `a re-import with the e-mail address of another cardholder and an unknown token gets a ${conflict.status}, and changes ${isUnchanged ? 'nothing' : 'the cardholder'}`;
      return finding(conflict.status === CONFLICT && isUnchanged, seen, other, conflict, read);
    },
  },
  {
    id: 'idp2-variant',
    needs: 'write',
    takes: 'a service that accepts magic tokens',
    async probe(lab) {
      const made = await lab.service.post(CARDHOLDERS, newCardholderBody(lab, { source: 'idp2' }));
      if (made.status !== CREATED) {
        const control = await lab.service.post(CARDHOLDERS, newCardholderBody(lab));
        if (control.status !== CREATED || lab.variables.shareTokens !== undefined) {
          throw new Undecided(this.takes, made);
        }
      }
      const source = textOf(made.body, 'kycSource');
      const seen = `an idp2ShareToken gets a ${made.status}${source && ` with kycSource ${source}`}`;
      return finding(made.status === CREATED && source === 'idp2', seen, made);
    },
  },
  {
    id: 'web-kyc',
    needs: 'write',
    takes: 'a response to an unknown KYC session',
    variables: ['kycSessionId'],
    async probe(lab) {
      const { idp1ShareToken: _token, ...common } = newCardholderBody(lab);
      const tryWith = (kycSessionId: string) =>
        lab.service.post(CARDHOLDERS, { ...common, kycSource: 'web', kycSessionId });
      const unknown = await tryWith(lab.newName());
      const { kycSessionId } = lab.variables;
      const approved = kycSessionId === undefined ? [] : [await tryWith(kycSessionId)];
      const seen = `an unknown KYC session gets a ${unknown.status}${approved.map(({ status }) => `, an approved one a ${status}`).join('')}`;
      const holds = unknown.status === 404 && approved.every(({ status }) => status === CREATED);
      return finding(holds, seen, unknown, ...approved);
    },
  },
];

/** Creates one cardholder for the probes of this file. */
function first(lab: Lab): Promise<Exchange> {
  return lab.once('first cardholder', () => createCardholder(lab));
}

/** The body that created a cardholder. */
function sameBody({ request }: Exchange): Readonly<Record<string, unknown>> {
  return objectOf(request.body);
}

function token(lab: Lab): string {
  return tokenFor(lab, 'approve', 'idp1');
}

import type { Exchange } from '../../evidence.ts';
import type { Lab } from '../lab/lab.ts';
import { decideKyc, findDecided, submitKyc } from '../lab/people.ts';
import { finding, measurement, type Probe, Undecided } from '../probe.ts';
import { hasAll, hasExactly, isInvalid, isOk, missingOf, objectOf, textOf } from '../service/responses.ts';

const SESSIONS = '/partner/kyc-sessions';
const SESSION_MEMBERS = ['id', 'url', 'status', 'externalUserId', 'createdAt', 'expiresAt'];
const DAY_MS = 86_400_000;

/** Probes of the identification of cardholders. */
export const kycProbes: readonly Probe[] = [
  {
    id: 'kyc-sessions',
    needs: 'write',
    takes: 'a KYC session',
    async probe(lab) {
      const session = await newSession(lab);
      const missing = missingOf(session.body, SESSION_MEMBERS);
      const { createdAt, expiresAt, status } = objectOf(session.body);
      const hours = (Date.parse(String(expiresAt)) - Date.parse(String(createdAt))) / (DAY_MS / 24);
      const seen =
        missing === ''
          ? `a KYC session gets a ${session.status}, is ${status} and expires after ${hours} h`
          : `a KYC session gets a ${session.status} without ${missing}`;
      const holds = session.status === 201 && missing === '' && status === 'pending' && hours === 24;
      return finding(holds, seen, session);
    },
  },
  {
    id: 'kyc-page',
    needs: 'write',
    takes: 'a KYC session with the URL of its page',
    async probe(lab) {
      const session = await newSession(lab);
      const url = textOf(session.body, 'url');
      if (!URL.canParse(url)) throw new Undecided(this.takes, session);
      const { exchange, text } = await lab.service.page(url, { accept: 'text/html' });
      const hasButtons = /approve/i.test(text) && /reject/i.test(text);
      const seen = `the hosted page gets a ${exchange.status} and ${hasButtons ? 'offers' : 'does not offer'} to approve and to reject`;
      return finding(exchange.status === 200 && hasButtons, seen, session, exchange);
    },
  },
  {
    id: 'pages',
    needs: 'write',
    takes: 'a KYC session with the URL of its page',
    async probe(lab) {
      const session = await newSession(lab);
      const url = textOf(session.body, 'url');
      if (!URL.canParse(url)) throw new Undecided(this.takes, session);
      // A page refuses this method, whatever it shows.
      const html = await lab.service.page(url, { accept: 'text/html' }, 'PUT');
      const json = await lab.service.page(url, { accept: 'application/json' }, 'PUT');
      const isHtml = /text\/html/.test(html.exchange.headers['content-type'] ?? '');
      const isSimple = hasExactly(parseJson(json.text), ['success', 'error']);
      const seen = `the refusal of a PUT to a page is ${isHtml ? 'a page' : 'no page'} for browsers and ${isSimple ? 'the simple error body' : 'another body'} for other clients`;
      return finding(isHtml && isSimple, seen, html.exchange, json.exchange);
    },
  },
  {
    id: 'kyc-decision',
    needs: 'write',
    takes: 'a KYC that the provider approves in time: --patience',
    async probe(lab) {
      const { exchanges } = await decideKyc(lab, 'approve');
      return finding(true, 'the provider approves a KYC by itself', ...exchanges);
    },
  },
  {
    id: 'kyc-initiation',
    needs: 'write',
    takes: 'a cardholder with approved KYC: --var cardholderId=…',
    variables: ['cardholderId', 'cardProgramId', 'shareTokens'],
    async probe(lab) {
      const { id } = await findDecided(lab, 'approve');
      const again = await submitKyc(lab, id);
      const seen = `a second submission after an approval gets a ${again.status}`;
      return finding(isInvalid(again), seen, again);
    },
  },
  {
    id: 'kyc-after-rejection',
    needs: 'write',
    takes: 'a cardholder with rejected KYC: --var rejectedCardholderId=…',
    variables: ['rejectedCardholderId', 'rejectedShareToken', 'cardProgramId'],
    async probe(lab) {
      const { id } = await findDecided(lab, 'reject');
      const again = await submitKyc(lab, id);
      const seen = `a submission after a rejection gets a ${again.status}`;
      if (isOk(again)) return measurement('allowed', seen, again);
      if (isInvalid(again) || again.status === 409) return measurement('refused', seen, again);
      throw new Undecided(this.takes, again);
    },
  },
];

async function newSession(lab: Lab): Promise<Exchange> {
  return lab.once('session', async () => {
    const session = await lab.service.post(SESSIONS, { externalUserId: lab.newName() });
    if (!isOk(session) || !hasAll(session.body, ['id'])) throw new Undecided('a KYC session', session);
    return session;
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

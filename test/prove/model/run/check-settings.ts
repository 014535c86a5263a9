import type { SendRequest } from '../../../support/in-process.ts';
import { SECRET } from '../../../support/receiver.ts';
import { assertEqual } from '../assert-equal.ts';
import type { Model } from '../model.ts';
import { webhookUrlOf } from '../receivers.ts';
import { PARTNERS } from '../state.ts';

const PARAMETERS = [
  ...['usage-from-parameter', 'usage-to-parameter', 'usage-period-parameter', 'usage-type-parameter'],
] as ('usage-from-parameter' | 'usage-to-parameter' | 'usage-period-parameter' | 'usage-type-parameter')[];

/** Checks the settings that no action depends on. Changes the world. */
export async function checkSettings(send: SendRequest, { state, keyOf }: Model): Promise<void> {
  const { assumed } = state;
  const partner = 0;
  const api = (method: string, path: string, body?: unknown) => send(keyOf(partner), method, path, body);
  const invalid = assumed['invalid-input-status'];

  const own = state.cards.filter(each => each.partner === partner);
  const active = await api('GET', `/partner/cards?limit=1&${assumed['card-status-parameter']}=active`);
  assertEqual(active.body.total, own.filter(({ status }) => status === 'active').length);
  for (const setting of PARAMETERS) {
    const { status } = await api('GET', `/partner/usage/records?${assumed[setting]}=wrong`);
    assertEqual([setting, status], [setting, invalid]);
  }

  const card = own.find(({ status }) => status !== 'cancelled');
  if (card !== undefined) {
    const reveal = (body: object) => api('POST', `/partner/cards/${card.id}/reveal-html`, body);
    assertEqual((await reveal({})).status, assumed['stylesheet-url'] === 'required' ? invalid : 200);
    assertEqual((await reveal({ stylesheetUrl: 'https://example.com/card.css' })).status, 200);
    const { body: document } = await send(null, 'GET', '/state');
    assertEqual(document.tables.revealLinks.at(-1).copyPan, assumed['copy-pan-default']);
  }

  const { token } = (await send(null, 'POST', '/share-tokens', { outcome: 'manual' })).body;
  const { body: person } = await api('POST', '/partner/cardholders', {
    externalUserId: 'user_rejected',
    email: 'rejected@example.com',
    phoneNumber: '+4915123456789',
    kycSource: 'idp1',
    idp1ShareToken: token,
  });
  const cardProgramId = PARTNERS[partner].program;
  const submit = () => api('POST', `/partner/cardholders/${person.id}/kyc`, { cardProgramId });
  assertEqual((await submit()).status, 200);
  await send(null, 'POST', `/cardholders/${person.id}/kyc/reject`);
  assertEqual((await submit()).status, assumed['kyc-after-rejection'] === 'allowed' ? 200 : 400);

  const set = { webhookUrl: webhookUrlOf(partner), webhookSecret: SECRET };
  await api('PATCH', '/partner/webhooks/config', { ...set, subscribedEvents: [] });
  const changed = await api('PATCH', '/partner/webhooks/config', { subscribedEvents: ['card.issued'] });
  const unset = assumed['unset-config'] === 'omitted' ? {} : { webhookUrl: null, webhookSecret: null };
  assertEqual(changed.body, {
    ...(assumed['patch-config'] === 'merge' ? set : unset),
    subscribedEvents: ['card.issued'],
  });
  const cleared = await api('PATCH', '/partner/webhooks/config', {
    ...set,
    webhookUrl: null,
    subscribedEvents: [],
  });
  assertEqual('webhookUrl' in cleared.body, assumed['unset-config'] === 'null');

  const settings = `/partners/${PARTNERS[partner].id}/settings`;
  await send(null, 'PATCH', settings, { ipAllowList: ['203.0.113.7'] });
  assertEqual((await api('GET', '/partner/balance')).status, assumed['allow-list-status']);
}

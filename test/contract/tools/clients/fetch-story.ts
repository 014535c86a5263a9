// Re-imports a cardholder with a client that openapi-typescript and openapi-fetch generate from the document.
import assert from 'node:assert/strict';
import createClient from 'openapi-fetch';
import type { components, paths, webhooks } from './api.js';

const { BASE_URL = '', API_KEY = '' } = process.env;
const api = createClient<paths>({ baseUrl: BASE_URL, headers: { 'x-service-api-key': API_KEY } });

const person = {
  externalUserId: 'user-story',
  email: 'story@example.org',
  phoneNumber: '+4915112345679',
  kycSource: 'idp1',
} as const;

const created = await api.POST('/partner/cardholders', {
  body: { ...person, idp1ShareToken: 'idp1_test_approve_story_1' },
});
assert.equal(created.response.status, 201);
assert(created.data);
const { id, phoneNumber } = created.data;
const phone: string | null = phoneNumber;
assert.equal(phone, person.phoneNumber);

const reimported = await api.POST('/partner/cardholders', {
  body: { ...person, idp1ShareToken: 'idp1_test_approve_story_2', residenceCountryCode: 'DE' },
});
assert.equal(reimported.response.status, 200);
assert.equal(reimported.data?.id, id);

const submitted = await api.POST('/partner/cardholders/{id}/kyc', {
  params: { path: { id } },
  body: { cardProgramId: 'prog_everyday' },
});
assert.equal(submitted.data?.status, 'pending');

const locked = await api.POST('/partner/cardholders', {
  body: { ...person, idp1ShareToken: 'idp1_test_approve_story_3' },
});
assert.equal(locked.response.status, 409);
assert(locked.error && typeof locked.error.error === 'object');
const conflict: components['schemas']['CardholderConflict']['error'] = locked.error.error;
if (conflict.code === 'CARDHOLDER_KYC_LOCKED') {
  const reason: 'provider_submitted' | 'card_issued' = conflict.reason;
  assert.deepEqual([conflict.cardholderId, reason], [id, 'provider_submitted']);
} else {
  assert.fail(`not ${conflict.code} of ${conflict.existingCardholderId}`);
}

const cards = await api.GET('/partner/cards', { params: { query: { status: 'active', limit: 2 } } });
assert.equal(cards.data?.limit, 2);
for (const card of cards.data?.data ?? []) assert.equal(typeof card.spendControl.spent.sales.daily, 'number');

type Issued = webhooks['card.issued']['post']['requestBody']['content']['application/json'];
const holder = (event: Issued): string => event.data.nameOnCard;
assert.equal(typeof holder, 'function');

// What the document does not allow does not compile.
// @ts-expect-error a status that no card has
void (() => api.GET('/partner/cards', { params: { query: { status: 'melted' } } }));
// @ts-expect-error the token of another source
void (() => api.POST('/partner/cardholders', { body: { ...person, idp2ShareToken: 'idp2_test_approve_1' } }));
// @ts-expect-error no such operation
void (() => api.GET('/partner/crads'));

console.log('story complete');

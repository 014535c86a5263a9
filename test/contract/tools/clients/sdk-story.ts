// Re-imports a cardholder with the SDK that @hey-api/openapi-ts generates from the document.
import assert from 'node:assert/strict';
import { client } from './sdk/client.gen.js';
import { cardholdersCreate, cardholdersInitiateKyc, cardsList } from './sdk/sdk.gen.js';
import type { CardholderConflict } from './sdk/types.gen.js';

const { BASE_URL = '', API_KEY = '' } = process.env;
client.setConfig({ baseUrl: BASE_URL, auth: () => API_KEY });

const person = {
  externalUserId: 'user-story',
  email: 'story@example.org',
  phoneNumber: '+4915112345679',
  kycSource: 'idp1',
} as const;

const created = await cardholdersCreate({ body: { ...person, idp1ShareToken: 'idp1_test_approve_story_1' } });
assert.equal(created.response?.status, 201);
assert(created.data);
const { id } = created.data;

const again = await cardholdersCreate({ body: { ...person, idp1ShareToken: 'idp1_test_approve_story_2' } });
assert.deepEqual([again.response?.status, again.data?.id], [200, id]);

const submitted = await cardholdersInitiateKyc({ path: { id }, body: { cardProgramId: 'prog_everyday' } });
assert.equal(submitted.data?.status, 'pending');

const locked = await cardholdersCreate({ body: { ...person, idp1ShareToken: 'idp1_test_approve_story_3' } });
assert.equal(locked.response?.status, 409);
const { error } = locked.error as CardholderConflict;
assert(error.code === 'CARDHOLDER_KYC_LOCKED');
assert.equal(error.reason, 'provider_submitted');

const cards = await cardsList({ query: { limit: 2 } });
assert.equal(cards.data?.data.length, 2);

console.log('story complete');

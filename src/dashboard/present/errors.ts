import { randomText } from '../browser/random.ts';
import type { Scenario, Stage } from './stage.ts';

function create(stage: Stage, members: Readonly<Record<string, unknown>> = {}) {
  const { person } = stage.values;
  return stage.api('POST', '/partner/cardholders', {
    externalUserId: person,
    email: `${person}@example.com`,
    phoneNumber: '+33612345678',
    kycSource: 'idp1',
    idp1ShareToken: `idp1_test_approve_${person}`,
    ...members,
  });
}

/** Every kind of refusal, each with a message that says how to correct the request. */
export const errors: Scenario = {
  id: 'error-flows',
  title: 'Error flows',
  summary: 'The errors that an app must handle. Each message says what is wrong and what to do.',
  steps: [
    {
      title: '401: unknown API key',
      text: 'Every request needs a valid API key.',
      expectedStatus: 401,
      highlight: ['error'],
      run: stage => stage.api('GET', '/partner/cards', undefined, 'sk_test_nobody'),
    },
    {
      title: '400: invalid field',
      text: 'The message names the field and its rule. Nothing has changed, and the token is still unused.',
      expectedStatus: 400,
      highlight: ['error'],
      run(stage) {
        stage.values.person = `max-${randomText(4)}`;
        return create(stage, { email: 'not an address' });
      },
    },
    {
      title: '404: unknown path',
      text: 'The message differs from that of a missing record, and suggests the nearest path.',
      expectedStatus: 404,
      highlight: ['error'],
      run: stage => stage.api('GET', '/partner/cardholder'),
    },
    {
      title: '404: unknown record',
      text: 'A record of another partner gives the same response: partners cannot see each other’s data.',
      expectedStatus: 404,
      highlight: ['error'],
      run: stage => stage.api('GET', '/partner/cardholders/ch_nobody'),
    },
    {
      title: '201: created',
      text: 'The earlier request, corrected: a cardholder from a token that does not need to be minted.',
      expectedStatus: 201,
      highlight: ['id', 'email'],
      run: stage => create(stage),
    },
    {
      title: '409: the e-mail address is taken',
      text: 'A structured error: a stable code, and the id of the cardholder with this address.',
      expectedStatus: 409,
      highlight: ['code', 'existingCardholderId'],
      run: stage =>
        create(stage, {
          externalUserId: `${stage.values.person}-2`,
          idp1ShareToken: `idp1_test_approve_${stage.values.person}_2`,
        }),
    },
    {
      title: '429: too many requests',
      text: 'A fault, set for one request. The Retry-After header says when to try again.',
      expectedStatus: 429,
      highlight: ['error'],
      async run(stage) {
        await stage.control('POST', '/faults', {
          status: 429,
          times: 1,
          method: 'GET',
          path: '/partner/cards',
        });
        await stage.api('GET', '/partner/cards');
      },
    },
    {
      title: '503: service unavailable',
      text: 'Another fault, set for one request. The next request succeeds: does the app retry?',
      expectedStatus: 200,
      async run(stage) {
        await stage.control('POST', '/faults', {
          status: 503,
          times: 1,
          method: 'GET',
          path: '/partner/cards',
        });
        await stage.api('GET', '/partner/cards?limit=1');
        await stage.api('GET', '/partner/cards?limit=1');
      },
    },
  ],
};

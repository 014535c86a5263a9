import { freshText } from '../browser/timers.ts';
import type { Scenario, Stage } from './stage.ts';

function create(stage: Stage, members: Readonly<Record<string, unknown>> = {}) {
  const { person } = stage.memo;
  return stage.api('POST', '/partner/cardholders', {
    externalUserId: person,
    email: `${person}@example.com`,
    phoneNumber: '+33612345678',
    kycSource: 'idp1',
    idp1ShareToken: `idp1_test_approve_${person}`,
    ...members,
  });
}

/** Every kind of refusal, each with the way out in its message. */
export const errors: Scenario = {
  id: 'error-flows',
  title: 'Error flows',
  pitch: 'What an app has to live with: each refusal says what was asked, what is so, and what to do.',
  steps: [
    {
      title: '401: no such key',
      say: 'The key is the only thing that opens the door.',
      expects: 401,
      marked: ['error'],
      run: stage => stage.api('GET', '/partner/cards', undefined, 'sk_test_nobody'),
    },
    {
      title: '400: a field is wrong',
      say: 'The message names the field and its rule. Nothing has been changed, and no token used.',
      expects: 400,
      marked: ['error'],
      run(stage) {
        stage.memo.person = `max-${freshText()}`;
        return create(stage, { email: 'not an address' });
      },
    },
    {
      title: '404: a typo in the path',
      say: 'An unknown path is told apart from a missing record, and the nearest one is named.',
      expects: 404,
      marked: ['error'],
      run: stage => stage.api('GET', '/partner/cardholder'),
    },
    {
      title: '404: a record that is not there',
      say: 'Another partner’s record looks exactly the same: tenants cannot see each other.',
      expects: 404,
      marked: ['error'],
      run: stage => stage.api('GET', '/partner/cardholders/ch_nobody'),
    },
    {
      title: 'All is well, for once',
      say: 'The corrected call of before: a cardholder, made with a token that needs no minting.',
      expects: 201,
      marked: ['id', 'email'],
      run: stage => create(stage),
    },
    {
      title: '409: the e-mail address is taken',
      say: 'A structured error: a stable code, and the id of the cardholder who has the address.',
      expects: 409,
      marked: ['code', 'existingCardholderId'],
      run: stage =>
        create(stage, {
          externalUserId: `${stage.memo.person}-2`,
          idp1ShareToken: `idp1_test_approve_${stage.memo.person}_2`,
        }),
    },
    {
      title: '429: too many requests',
      say: 'A fault, set for one request: the app is told when to come back.',
      expects: 429,
      marked: ['error'],
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
      title: '503: the service is away',
      say: 'Another fault, for one request. The next one is answered again: does the app retry?',
      expects: 200,
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

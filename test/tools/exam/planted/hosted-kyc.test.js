import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createSandbox } from 'card-sandbox';
import { createHostedKyc } from './hosted-kyc.js';
import { eventually } from './plumbing.js';

const secret = 'the-secret-of-hosted-kyc';

describe('hosted KYC', () => {
  let sandbox;
  let kyc;
  before(async () => {
    sandbox = createSandbox({ webhookReceiver: request => kyc.receive(request) });
    const { fetch, baseUrl } = sandbox;
    kyc = createHostedKyc({ fetch, baseUrl, apiKey: () => sandbox.apiKey, secret });
    await sandbox.webhooks.configure({
      webhookUrl: 'https://kyc.test/webhooks',
      webhookSecret: secret,
      subscribedEvents: [
        'kyc_session.completed',
        'kyc_session.failed',
        'cardholder.created',
        'cardholder.kyc.updated',
      ],
    });
  });
  after(() => sandbox.close());

  const start = name => kyc.start({ name, email: `${name}@example.com`, phone: '+4915123456789' });
  const becomes = (name, state) =>
    eventually(
      () => assert.equal(kyc.user(name).state, state, kyc.user(name).problem),
      () => sandbox.clock.advance('10s'),
    );

  it('approves a person who passes', async () => {
    const { sessionId } = await start('anna');
    await sandbox.kycSessions.approve(sessionId);
    await becomes('anna', 'approved');
  });

  it('refuses a person who fails', async () => {
    const { sessionId } = await start('boris');
    await sandbox.kycSessions.reject(sessionId);
    await becomes('boris', 'refused');
  });

  it('greets an approved person once', async () => {
    const { sessionId } = await start('clara');
    await sandbox.kycSessions.approve(sessionId);
    await becomes('clara', 'approved');
    assert.deepEqual(
      kyc.greetings.filter(name => name === 'clara'),
      ['clara'],
    );
  });

  it('lists the cardholder', async () => {
    const { sessionId } = await start('dora');
    await sandbox.kycSessions.approve(sessionId);
    await becomes('dora', 'approved');
    assert.ok(kyc.directory.some(({ id }) => id === kyc.user('dora').cardholderId));
  });
});

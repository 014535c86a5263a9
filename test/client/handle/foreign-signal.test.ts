import { Window } from 'happy-dom';
import { expect, onTestFinished, test } from 'vitest';
import { connect } from '../../../src/index.ts';
import { ACME_KEY, startSandbox } from '../../support/sandbox.ts';

test('a request to a server is aborted by the signal of a DOM, with its reason', async () => {
  const { origin } = await startSandbox();
  const sandbox = await connect({ url: origin });
  const window = new Window();
  onTestFinished(() => window.happyDOM.close());
  const leave = new window.AbortController();
  const headers = { 'x-service-api-key': ACME_KEY, 'x-sandbox-fault': 'delay=60s' };
  // The type of a DOM's own signal is another one.
  const signal = leave.signal as unknown as AbortSignal;
  const waiting = sandbox.fetch('/v1/partner/balance', { headers, signal });
  const reason = new Error('enough');
  leave.abort(reason);
  await expect(waiting).rejects.toBe(reason);
});

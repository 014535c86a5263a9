import { describe, expect, onTestFinished, test } from 'vitest';
import { connect, createSandbox, type Sandbox, startServer } from '../../../src/index.ts';
import { START } from '../../support/sandbox.ts';

const OPTIONS = { fixtures: ['starter'], clock: START, freeze: true } as const;

/** A sandbox of an entry point, stopped after the test. */
async function started(entry: string): Promise<Sandbox> {
  const served = entry === 'startServer' || entry === 'connect';
  const sandbox = served ? await startServer(OPTIONS) : createSandbox(OPTIONS);
  onTestFinished(() => sandbox.close());
  if (entry === 'worlds.create') return sandbox.worlds.create({ id: 'blue' });
  return entry === 'connect' ? await connect({ url: sandbox.url }) : sandbox;
}

describe.each(['createSandbox', 'startServer', 'connect', 'worlds.create'])('with %s', entry => {
  test('the history is listed, newest first, and gone back in', async () => {
    const sandbox = await started(entry);
    await sandbox.api.balance.get();
    const { available } = await sandbox.api.balance.get();
    await sandbox.simulate.topUp({ amount: 5 });
    await sandbox.clock.advance('1h');
    expect(await sandbox.history.list()).toMatchObject([
      { plane: 'control', path: '/_sandbox/clock/advance', status: 200 },
      { plane: 'control', method: 'POST' },
      { plane: 'partner', path: '/v1/partner/balance' },
      { plane: 'partner', path: '/v1/partner/balance' },
    ]);
    expect(await sandbox.history.rewind({ steps: 2 })).toEqual({ now: START, undone: 2 });
    expect((await sandbox.api.balance.get()).available).toBe(available);
    const [newest] = await sandbox.history.list({ limit: 1 });
    expect(await sandbox.history.rewind({ to: newest?.id ?? '' })).toEqual({ now: START, undone: 1 });
    await expect(sandbox.history.rewind({ to: 'req_unknown' })).rejects.toMatchObject({ status: 404 });
  });
});

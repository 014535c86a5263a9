import { expect, test } from 'vitest';
import { newCardholder, startSandbox } from '../../support/sandbox.ts';

const CREATE = '/partner/cardholders';
const carrying = (fault: string) => ({ 'x-sandbox-fault': fault });

test.each([
  ['status=503', 503, null],
  ['status=429', 429, '1'],
  ['status=429; retry-after=7', 429, '7'],
  ['Status=503;Retry-After = 0 ; when=before;', 503, '0'],
])(
  'X-Sandbox-Fault: %s acts on the request that carries it, and on no other',
  async (fault, status, retry) => {
    const { api, control } = await startSandbox();
    const forced = await api('POST', CREATE, newCardholder(), carrying(fault));
    expect(forced).toMatchObject({
      status,
      body: { success: false, error: expect.stringMatching(/, forced by header X-Sandbox-Fault$/) },
    });
    expect(forced.headers.get('retry-after')).toBe(retry);
    expect((await api('GET', CREATE)).body.total).toBe(0);
    const { body } = await control('GET', `/requests/${forced.headers.get('x-sandbox-request')}`);
    expect(body).toMatchObject({
      fault: 'header',
      dropped: false,
      rule: { fidelity: 'assumed', id: 'faults' },
      hints: [`header X-Sandbox-Fault: the response was ${status}, and the request was not handled`],
    });
  },
);

test('the header weighs more than armed faults, which do not count the request', async () => {
  const { api, control } = await startSandbox();
  await control('POST', '/faults', { status: 500, times: 1 });
  expect((await api('GET', CREATE, undefined, carrying('status=418'))).status).toBe(418);
  expect((await control('GET', '/faults')).body).toMatchObject([{ hits: 0 }]);
  expect((await api('GET', CREATE)).status).toBe(500);
});

test.each([
  ['', /a fault needs an effect/],
  [' ; ', /a fault needs an effect/],
  ['when=after', /a fault needs an effect/],
  ['503', /"503" is not a part of a fault; use status=503; delay=250ms/],
  ['body=x', /"body=x" is not a part of a fault/],
  ['status; delay=1ms', /status needs a value/],
  ['status=', /status must be a number/],
  ['status=abc', /status must be a number/],
  ['status=0x1f7', /status must be a number/],
  ['status=99', /status must be at least 200/],
  ['status=503; status=500', /status must be given once/],
  ['status=503, drop', /status must be a number/],
  ['delay=250', /delay must be a duration such as 250ms or 2s, at most 60s/],
  ['delay=-1s', /delay must be a duration/],
  ['delay=61s', /delay must be a duration/],
  ['delay', /delay needs a value/],
  ['retry-after=7', /a fault needs an effect/],
  ['delay=1ms; retry-after=7', /retry-after needs a status/],
  ['status=429; retry-after=soon', /retry-after must be a number/],
  ['drop=maybe', /drop must be true/],
  ['drop; status=500', /sends no response/],
  ['status=500; when=never', /when must be one of "before", "after"/],
])('the header %j is a 400 that names it, and changes nothing', async (fault, problem) => {
  const { api, control } = await startSandbox();
  const { status, body, headers } = await api('POST', CREATE, newCardholder(), carrying(fault));
  expect(status).toBe(400);
  expect(body.error).toMatch(/^header X-Sandbox-Fault: /);
  expect(body.error).toMatch(problem);
  expect(headers.get('x-ratelimit-remaining')).toBe('999');
  expect((await api('GET', CREATE)).body.total).toBe(0);
  const { body: entry } = await control('GET', `/requests/${headers.get('x-sandbox-request')}`);
  expect(entry).toMatchObject({ fault: null, rule: { id: 'faults' } });
});

test('without a key the header does nothing, malformed or not', async () => {
  const { api } = await startSandbox();
  for (const fault of ['status=503', 'nonsense']) {
    const headers = { ...carrying(fault), 'x-service-api-key': 'sk_test_wrong' };
    expect((await api('GET', CREATE, undefined, headers)).status).toBe(401);
  }
});

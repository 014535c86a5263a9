import { expect, expectTypeOf, test } from 'vitest';
import * as z from 'zod';
import type * as sandbox from '../../../src/index.ts';
import { operations } from '../../../src/sandbox/operations.ts';

test('the types of the handle are exact', () => {
  expectTypeOf<ReturnType<typeof sandbox.createSandbox>>().toEqualTypeOf<sandbox.Sandbox>();
  expectTypeOf<ReturnType<typeof sandbox.startServer>>().resolves.toEqualTypeOf<sandbox.Sandbox>();
  expectTypeOf<sandbox.Sandbox>().toExtend<AsyncDisposable>();
  expectTypeOf<sandbox.Sandbox['fetch']>().toExtend<typeof fetch>();
  expectTypeOf<sandbox.Sandbox['clock']['advance']>().parameters.toEqualTypeOf<
    [by: sandbox.Duration | number]
  >();
});

test('the methods of the API have the types of the operations', () => {
  type Api = sandbox.Sandbox['api'];
  expectTypeOf<Api['cards']['issue']>().toEqualTypeOf<
    (body: sandbox.IssueCardRequest) => Promise<sandbox.Card>
  >();
  expectTypeOf<Api['cardholders']['get']>().toEqualTypeOf<(id: string) => Promise<sandbox.Cardholder>>();
  expectTypeOf<Parameters<Api['cards']['list']>[0]>().toExtend<
    { status?: sandbox.Card['status'] } | undefined
  >();
  expectTypeOf<ReturnType<sandbox.Sandbox['as']>>().toEqualTypeOf<sandbox.PartnerHandle>();
});

test('requests are filtered by the parameters of the operation', () => {
  const filter: Required<sandbox.RequestFilter> = {
    path: '',
    method: '',
    status: 0,
    partnerId: '',
    operation: '',
    since: '',
  };
  const list = operations.find(({ id }) => id === 'requests.list');
  const { properties } = z.toJSONSchema(list?.query ?? z.object({}), { io: 'input' });
  expect(Object.keys({ ...filter, limit: 0 })).toEqual(Object.keys(properties ?? {}));
});

test('a receiver narrows the body of a webhook by its event type', () => {
  type Payload = sandbox.WebhookPayload;
  expectTypeOf<Payload['eventType']>().toEqualTypeOf<sandbox.EventType>();
  expectTypeOf<
    Extract<Payload, { eventType: 'card.transaction' }>['data']
  >().toEqualTypeOf<sandbox.Transaction>();
  expectTypeOf<sandbox.WebhookPayload<'card.3ds_otp'>['data']>().toEqualTypeOf<sandbox.OtpNotice>();
  const describe = (event: Payload): string => {
    if (event.eventType === 'card.issued') return event.data.last4;
    if (event.eventType === 'balance.low' || event.eventType === 'balance.alert') return event.data.currency;
    // @ts-expect-error: only some of the other events are about a cardholder
    return event.data.firstName;
  };
  expectTypeOf(describe).returns.toBeString();
});

test('lists are pages, and enumerations have names', () => {
  type Api = sandbox.Sandbox['api'];
  expectTypeOf<ReturnType<Api['cards']['list']>>().resolves.toEqualTypeOf<sandbox.Page<sandbox.Card>>();
  expectTypeOf<ReturnType<Api['usage']['list']>>().resolves.toEqualTypeOf<
    sandbox.Page<sandbox.UsageRecord>
  >();
  expectTypeOf<sandbox.Card['status']>().toEqualTypeOf<sandbox.CardStatus>();
  expectTypeOf<sandbox.Cardholder['kycStatus']>().toEqualTypeOf<sandbox.KycStatus>();
  expectTypeOf<sandbox.CardDetails>().toExtend<sandbox.Card>();
});

test('typing errors in durations, paths, operations and codes do not compile, and texts from variables do', () => {
  const use = (handle: sandbox.Sandbox, text: string, error: sandbox.RefusedError) => [
    handle.clock.advance('90s'),
    // @ts-expect-error: not a duration
    handle.clock.advance('2 hours'),
    handle.mintShareToken({ expiresIn: '1.5h' }),
    // @ts-expect-error: not a duration
    handle.worlds.create({ kycDelay: 'soon' }),
    handle.faults.add({ path: '/partner/cards/{id}/freeze', method: 'POST', drop: true }),
    handle.faults.add({ path: text, method: text, drop: true }),
    // @ts-expect-error: no operation has this path
    handle.faults.add({ path: '/partner/card', drop: true }),
    // @ts-expect-error: no operation has this method
    handle.faults.add({ method: 'DELETE', drop: true }),
    // @ts-expect-error: a member that faults do not have
    handle.faults.add({ path: '/partner/cards', satus: 503 }),
    handle.faults.add({ path: `${text}/cards`, drop: true }),
    handle.requests.count({ operation: 'cards.issue', path: '/v1/partner/cards/{id}', method: 'DELETE' }),
    handle.requests.count({ operation: text, path: text, method: text }),
    handle.requests.count({} as sandbox.RequestFilter),
    handle.faults.add({} as sandbox.FaultInput),
    handle.requests.list({ path: `/partner/cards/${text}/freeze` }),
    handle.requests.list({ path: `${text}/cards/card_mia_active`, method: 'post' }),
    handle.requests.list({ path: '/v1/partner/cards/card_mia_active' }),
    // @ts-expect-error: no operation has this path
    handle.requests.count({ path: '/partner/cardz' }),
    // @ts-expect-error: not a method
    handle.requests.list({ method: 'GTE' }),
    // @ts-expect-error: not an operation
    handle.requests.list({ operation: 'cards.create', limit: 1 }),
    error.code === 'EMAIL_ALREADY_REGISTERED',
    error.code === text,
    // @ts-expect-error: not a code of the interface
    error.code === 'KYC_LOCKED',
  ];
  expectTypeOf(use).toBeFunction();
});

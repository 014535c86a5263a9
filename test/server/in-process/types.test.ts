import { expect, expectTypeOf, test } from 'vitest';
import * as z from 'zod';
import type * as sandbox from '../../../src/index.ts';
import { operations } from '../../../src/sandbox/operations.ts';

test('the types of the handle are exact', () => {
  expectTypeOf<ReturnType<typeof sandbox.createSandbox>>().toEqualTypeOf<sandbox.Sandbox>();
  expectTypeOf<ReturnType<typeof sandbox.startServer>>().resolves.toEqualTypeOf<sandbox.Sandbox>();
  expectTypeOf<sandbox.Sandbox>().toExtend<AsyncDisposable>();
  expectTypeOf<sandbox.Sandbox['fetch']>().toExtend<typeof fetch>();
  expectTypeOf<sandbox.Sandbox['clock']['advance']>().parameters.toEqualTypeOf<[by: string | number]>();
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
    until: '',
    recordId: '',
  };
  const list = operations.find(({ id }) => id === 'requests.list');
  const { properties } = z.toJSONSchema(list?.query ?? z.object({}), { io: 'input' });
  expect(Object.keys({ ...filter, limit: 0 })).toEqual(Object.keys(properties ?? {}));
});

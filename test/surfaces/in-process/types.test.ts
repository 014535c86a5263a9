import { expectTypeOf, test } from 'vitest';
import type * as z from 'zod';
import type * as sandbox from '../../../src/index.ts';
import type { Balance } from '../../../src/resources/balance/schema.ts';
import type { CardholderDetails } from '../../../src/resources/cardholders/schema.ts';
import type { KycSession, ShareToken } from '../../../src/resources/kyc/schema.ts';
import type { Challenge, ChallengeResult } from '../../../src/resources/three-d-secure/schema.ts';
import type { Transaction } from '../../../src/resources/transactions/schema.ts';
import type { Delivery, WebhookConfig } from '../../../src/resources/webhooks/schema.ts';

/** A type all of whose members, at any depth, can be written to: what schemas infer. */
type Writable<T> = T extends object ? { -readonly [K in keyof T]: Writable<T[K]> } : T;

test('what the handle answers has the types that the schemas of the answers have', () => {
  expectTypeOf<Writable<sandbox.Transaction>>().toEqualTypeOf<z.output<typeof Transaction>>();
  expectTypeOf<Writable<sandbox.CardholderDetails>>().toEqualTypeOf<z.output<typeof CardholderDetails>>();
  expectTypeOf<Writable<sandbox.ShareToken>>().toEqualTypeOf<z.output<typeof ShareToken>>();
  expectTypeOf<Writable<sandbox.KycSession>>().toEqualTypeOf<z.output<typeof KycSession>>();
  expectTypeOf<Writable<sandbox.ChallengeResult>>().toEqualTypeOf<z.output<typeof ChallengeResult>>();
  expectTypeOf<Writable<sandbox.Challenge>>().toEqualTypeOf<z.output<typeof Challenge>>();
  expectTypeOf<Writable<sandbox.Balance>>().toEqualTypeOf<z.output<typeof Balance>>();
  expectTypeOf<Writable<sandbox.WebhookConfig>>().toEqualTypeOf<z.output<typeof WebhookConfig>>();
  expectTypeOf<Writable<sandbox.WebhookDelivery>>().toEqualTypeOf<z.output<typeof Delivery>>();
});

test('the handle is typed to the ends', () => {
  expectTypeOf<ReturnType<typeof sandbox.createSandbox>>().toEqualTypeOf<sandbox.Sandbox>();
  expectTypeOf<ReturnType<typeof sandbox.startServer>>().resolves.toEqualTypeOf<sandbox.Sandbox>();
  expectTypeOf<sandbox.Sandbox>().toExtend<AsyncDisposable>();
  expectTypeOf<sandbox.Sandbox['fetch']>().toExtend<typeof fetch>();
  expectTypeOf<sandbox.Sandbox['clock']['advance']>().parameters.toEqualTypeOf<[by: string | number]>();
});

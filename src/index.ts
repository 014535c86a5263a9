import type { Sandbox } from './client/handle.ts';
import * as inProcess from './server/in-process/create-sandbox.ts';
import type { SandboxOptions, ServerOptions } from './server/in-process/sandbox-options.ts';
import { createStories } from './tools/scenarios/present/create-stories.ts';

export { RefusedError, UnreachableError } from './client/client.ts';
export type {
  CardholderControl,
  Checkpoint,
  ClockControl,
  Controls,
  FaultControl,
  FaultScope,
  HistoryControl,
  KycControl,
  KycSessionControl,
  PartnerControl,
  RecordRange,
  RequestControl,
  RequestFilter,
  WebhookFaultControl,
} from './client/controls.ts';
export type { Api } from './client/generated/api.ts';
export type * from './client/generated/records.ts';
export type { CreateWorldOptions, Handle, PartnerHandle, Sandbox, WorldControl } from './client/handle.ts';
export type { Fetch } from './client/http.ts';
export type { Simulator } from './client/simulator.ts';
export { type Verification, type VerifyOptions, verifyWebhook } from './client/verify-webhook.ts';
export type { DeliveryReference, WaitFilter, WebhookControl } from './client/webhook-control.ts';
export type { Invent } from './sandbox/fixtures/define/define-fixture.ts';
export {
  type DefinedFixture,
  defineFixture,
  type FixtureBuilder,
  type FixtureCollection,
  type FixtureContext,
} from './sandbox/fixtures/define/define-fixture.ts';
export type * from './sandbox/fixtures/define/inputs.ts';
export { FixtureError } from './sandbox/fixtures/file/fixture-error.ts';
export { OptionError } from './sandbox/options.ts';
export { StateFileError } from './sandbox/sandbox.ts';
export type { WebhookListener } from './sandbox/transport/listener-transport.ts';
export type { WebhookReceiver } from './sandbox/transport/receiver-transport.ts';
export { connect } from './server/in-process/create-sandbox.ts';
export type { ConnectOptions, SandboxOptions, ServerOptions } from './server/in-process/sandbox-options.ts';

/**
 * Creates a sandbox in this process, without a port. Its clock is frozen unless `freeze` is false. The sandbox is ready
 * when this returns, except for fixtures in code: see `Sandbox.ready`, which rejects with a FixtureError when they are
 * invalid, as does every call. Throws an OptionError, a FixtureError or a StateFileError for invalid options, other
 * fixtures or state files.
 *
 * @example
 * await using sandbox = createSandbox({ fixtures: ['empty', { partners: [{ id: 'p', apiKey: 'sk_test_p' }] }] });
 * const { id: cardId } = await sandbox.simulate.card();
 * await sandbox.simulate.authorize({ cardId, amount: 9.5 });
 */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  return inProcess.createSandbox(options);
}

/**
 * Starts a sandbox in this process that listens on a port. Resolves once it listens. Rejects with the errors of
 * `createSandbox`, and when it cannot listen: on a busy port with the code `EADDRINUSE`. Its clock runs unless `freeze`
 * is true.
 *
 * @example
 * await using sandbox = await startServer({ port: 0, kycDelay: '200ms' });
 * const headers = { 'x-service-api-key': sandbox.apiKey };
 * const response = await fetch(`${sandbox.baseUrl}/partner/balance`, { headers });
 */
export function startServer(options: ServerOptions = {}): Promise<Sandbox> {
  return inProcess.startServer(options, { createStories });
}

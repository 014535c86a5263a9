export { RefusedError, UnreachableError } from './client/client.ts';
export type {
  CardholderControl,
  Checkpoint,
  ClockControl,
  Controls,
  FaultControl,
  FaultScope,
  HistoryControl,
  HistoryExport,
  KycControl,
  KycSessionControl,
  PartnerControl,
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
export {
  type DefinedFixture,
  defineFixture,
  type FixtureBuilder,
  type FixtureCollection,
  type FixtureContext,
} from './sandbox/fixtures/define/define-fixture.ts';
export type { Invent } from './sandbox/fixtures/define/faker-subset.ts';
export type * from './sandbox/fixtures/define/inputs.ts';
export { FixtureError } from './sandbox/fixtures/file/fixture-error.ts';
export { OptionError } from './sandbox/options.ts';
export { StateFileError } from './sandbox/sandbox.ts';
export type { WebhookReceiver } from './sandbox/transport/receiver-transport.ts';
export { connect, createSandbox, startServer } from './server/in-process/create-sandbox.ts';
export type { ConnectOptions, SandboxOptions, ServerOptions } from './server/in-process/sandbox-options.ts';

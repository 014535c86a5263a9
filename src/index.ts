export type { Fetch } from './client/call.ts';
export { RefusedError, UnreachableError } from './client/client.ts';
export type { ClockControl } from './client/clock-control.ts';
export type { FaultControl, FaultScope, WebhookFaultControl } from './client/fault-control.ts';
export type { Api } from './client/generated/api.ts';
export type * from './client/generated/records.ts';
export type * from './client/generated/records.ts';
export type * from './client/generated/records.ts';
export type * from './client/generated/records.ts';
export type * from './client/generated/records.ts';
export type * from './client/generated/records.ts';
export type * from './client/generated/records.ts';
export type { HistoryControl, HistoryExport } from './client/handle/history-control.ts';
export type { PartnerControl } from './client/partner-control.ts';
export type { CardholderControl, KycControl, KycSessionControl } from './client/people-control.ts';
export type { RequestControl, RequestFilter } from './client/request-control.ts';
export type {
  Checkpoint,
  Controls,
  CreateWorldOptions,
  Handle,
  PartnerHandle,
  Sandbox,
  WorldControl,
} from './client/sandbox-handle.ts';
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

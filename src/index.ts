export {
  type ConnectOptions,
  connect,
  createSandbox,
  type SandboxOptions,
  type ServerOptions,
  startServer,
} from './embedded.ts';
export {
  type DefinedFixture,
  defineFixture,
  type FixtureBuilder,
  type FixtureCollection,
  type FixtureContext,
} from './fixtures/define.ts';
export type * from './fixtures/inputs.ts';
export type { Invent } from './fixtures/invent.ts';
export { FixtureError } from './fixtures/problems.ts';
export { OptionError } from './options.ts';
export { StateFileError } from './sandbox.ts';
export { RefusedError, UnreachableError } from './surfaces/client.ts';
export type * from './surfaces/controls.ts';
export type { Fetch } from './surfaces/fetch.ts';
export type { Checkpoint, Controls, Sandbox } from './surfaces/handle.ts';
export type * from './surfaces/records.ts';
export type * from './surfaces/told.ts';
export type { WebhookControl, WebhookFaultControl, WebhookFilter } from './surfaces/webhook-control.ts';
export type { WebhookReceiver } from './transport/receiver-transport.ts';
export { type Verification, type VerifyOptions, verifyWebhook } from './verify-webhook.ts';

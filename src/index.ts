export type { Fetch } from './client/call.ts';
export { RefusedError, UnreachableError } from './client/client.ts';
export type * from './client/controls.ts';
export type * from './client/feed-types.ts';
export type { Checkpoint, Controls, Sandbox } from './client/handle.ts';
export type * from './client/records.ts';
export { type Verification, type VerifyOptions, verifyWebhook } from './client/verify-webhook.ts';
export type { WebhookControl, WebhookFaultControl, WebhookFilter } from './client/webhook-control.ts';
export {
  type DefinedFixture,
  defineFixture,
  type FixtureBuilder,
  type FixtureCollection,
  type FixtureContext,
} from './fixtures/define/define-fixture.ts';
export type { Invent } from './fixtures/define/faker-subset.ts';
export type * from './fixtures/define/inputs.ts';
export { FixtureError } from './fixtures/file/fixture-error.ts';
export { OptionError } from './sandbox/options.ts';
export { StateFileError } from './sandbox/sandbox.ts';
export {
  type ConnectOptions,
  connect,
  createSandbox,
  type SandboxOptions,
  type ServerOptions,
  startServer,
} from './surfaces/in-process/embedded.ts';
export type { WebhookReceiver } from './transport/receiver-transport.ts';

export { FixtureError } from './fixtures/problems.ts';
export type { Answer, ApiRequest } from './kernel/http.ts';
export type { Outcome, Outgoing, Transport } from './kernel/transport.ts';
export { OptionError, type SandboxOptions } from './options.ts';
export { createSandbox, type PartnerKey, type Sandbox, StateFileError } from './sandbox.ts';
export { type RunningServer, type ServerOptions, serve } from './surfaces/server.ts';
export { type Verification, type VerifyOptions, verifyWebhook } from './verify-webhook.ts';

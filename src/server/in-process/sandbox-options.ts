import type { DefinedFixture } from '../../sandbox/fixtures/define/define-fixture.ts';
import type { CoreOptions } from '../../sandbox/options.ts';
import type { WebhookListener } from '../../sandbox/transport/listener-transport.ts';
import type { WebhookReceiver } from '../../sandbox/transport/receiver-transport.ts';

/** The options of a sandbox; all are optional. */
export interface SandboxOptions extends Omit<CoreOptions, 'fixtures' | 'freeze'> {
  /**
   * The contents of the world, merged in order: built-in names, paths of YAML or JSON files, results of
   * `defineFixture`, paths of modules that export one by default, and objects with the content of a fixture file. A state
   * document stands alone. Default: `starter`.
   */
  readonly fixtures?: readonly (string | DefinedFixture | Readonly<Record<string, unknown>>)[] | undefined;
  /** Starts with a frozen clock, which moves only when it is advanced. Default: true. */
  readonly freeze?: boolean | undefined;
  /** Receives all webhooks instead of the network, whatever their URL is. */
  readonly webhookReceiver?: WebhookReceiver | undefined;
  /**
   * Receives all webhooks over loopback, at the path of their URL, whatever its host is: a request listener or a server of
   * Node.js, such as `express()` or `fastify.server`, which listens as long as the sandbox lives. Instead of
   * `webhookReceiver`.
   */
  readonly webhookListener?: WebhookListener | undefined;
}

/** The options of a sandbox that listens on a port. */
export interface ServerOptions extends SandboxOptions {
  /** Starts with a frozen clock, which moves only when it is advanced. Default: false, the clock runs. */
  readonly freeze?: boolean | undefined;
  /** Default: 0, which picks a free port. */
  readonly port?: number | undefined;
  /** Default: `127.0.0.1`. */
  readonly host?: string | undefined;
  /**
   * Host names to answer to, besides loopback names and the hosts of `map`. Default: on loopback none, beyond it every
   * name.
   */
  readonly allowHost?: readonly string[] | undefined;
  /** Takes the caller's address from the last entry of X-Forwarded-For. Default: false. */
  readonly trustProxy?: boolean | undefined;
  /** Protects the control plane when the host is not loopback. Default: a random token. */
  readonly controlToken?: string | undefined;
}

/** The address of a running sandbox. Omitted members come from the environment, which `exec` and `env` set. */
export interface ConnectOptions {
  /** For example `http://127.0.0.1:4242`. Default: `CARD_SANDBOX_URL`, or else that address. */
  readonly url?: string | undefined;
  /** The id of the world to connect to. Default: `CARD_SANDBOX_WORLD` at that address, otherwise `main`. */
  readonly world?: string | undefined;
  /** Required when the sandbox listens beyond loopback. Default: `CARD_SANDBOX_CONTROL_TOKEN` at that address. */
  readonly controlToken?: string | undefined;
}

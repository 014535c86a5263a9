import { type Command, Option } from 'commander';
import { type CoreOptions, OPTIONS, type OptionName } from '../../sandbox/options.ts';
import { collect, optionFlag, portNumber, visibleText } from '../flags.ts';

/** Options of the HTTP server around a sandbox, and of the command that runs it. */
interface ServerOptions {
  readonly port: number;
  readonly host: string;
  readonly allowHost?: readonly string[];
  readonly trustProxy?: true;
  readonly controlToken?: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly watch?: true;
  readonly handlers?: string;
  readonly scenarios?: readonly string[];
}

/** Parsed flags of `start` and `exec`: the options of a sandbox and of its server. */
export interface ServeFlags extends Omit<CoreOptions, 'fixtures'>, ServerOptions {
  readonly fixtures?: readonly string[];
}

/** Adds the flags that configure a sandbox and its server. The schema of the options holds most defaults. */
export function sandboxFlags(command: Command, defaultPort: number): Command {
  const { port, host, allowHost, ...others } = serverFlags(defaultPort);
  command.addOption(port).addOption(host).addOption(allowHost);
  // Object.keys does not keep the types of names.
  for (const name of Object.keys(OPTIONS) as OptionName[]) command.addOption(optionFlag(name));
  for (const option of Object.values(others)) command.addOption(option);
  return command;
}

/** The flags of the server, in the order of the help. */
export function serverFlags(defaultPort: number) {
  const text = (flag: string, description: string) => new Option(flag, description).argParser(visibleText);
  return {
    port: new Option('--port <number>', 'port to listen on; 0 picks a free one')
      .argParser(portNumber)
      .default(defaultPort, String(defaultPort)),
    host: text(
      '--host <name>',
      'name or address to listen on; beyond loopback the control plane requires a token',
    ).default('127.0.0.1', '127.0.0.1'),
    allowHost: new Option(
      '--allow-host <name>',
      'host name to answer to besides loopback names; repeatable (default: none; beyond loopback, every name)',
    ).argParser(collect),
    watch: new Option('--watch', 'reload fixture files when they change (default: read once)'),
    scenarios: new Option(
      '--scenarios <file...>',
      'scenario files for the presenter of the dashboard (default: the built-in ones only)',
    ),
    handlers: new Option(
      '--handlers <file>',
      'module of MSW handlers that run before the sandbox (default: none)',
    ),
    trustProxy: new Option(
      '--trust-proxy',
      'take the client address from the last entry of X-Forwarded-For (default: from the socket)',
    ),
    controlToken: text(
      '--control-token <token>',
      'control-plane token, required beyond loopback (default: generated and printed)',
    ).env('CARD_SANDBOX_CONTROL_TOKEN'),
    tlsCert: text('--tls-cert <file>', 'PEM file of a certificate: serve https (default: http)'),
    tlsKey: text('--tls-key <file>', 'PEM file of the private key of that certificate'),
  } satisfies Record<keyof ServerOptions, Option>;
}

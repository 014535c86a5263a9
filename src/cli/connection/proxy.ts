type Environment = Record<string, string | undefined>;

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Lists loopback in `NO_PROXY` and `no_proxy` if Node.js sends requests through the proxy of the environment. A proxy
 * does not reach the loopback addresses of this machine.
 */
export function bypassProxyForLoopback(environment: Environment, flags: readonly string[]): void {
  if (!usesProxy(environment, flags)) return;
  const listed = environment.no_proxy || environment.NO_PROXY;
  if (listed === '*') return;
  const list = [...(listed ? [listed] : []), ...LOOPBACK].join(',');
  // Node.js reads the variable in lower case first.
  environment.NO_PROXY = list;
  environment.no_proxy = list;
}

/** Node.js 24 and later use a proxy only when asked to. */
function usesProxy(environment: Environment, flags: readonly string[]): boolean {
  const options = [...flags, ...(environment.NODE_OPTIONS ?? '').split(/\s+/)];
  return environment.NODE_USE_ENV_PROXY === '1' || options.includes('--use-env-proxy');
}

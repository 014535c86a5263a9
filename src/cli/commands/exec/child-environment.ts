type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the environment of a command that calls a sandbox: the inherited one, the variables of the sandbox, and its
 * host in `NO_PROXY` and `no_proxy`, because some programs read only one of them.
 */
export function childEnvironment(
  inherited: Environment,
  variables: Environment,
): Record<string, string | undefined> {
  const hosts = hostsOf(variables.CARD_SANDBOX_URL);
  const { NO_PROXY, no_proxy } = inherited;
  return {
    ...inherited,
    ...variables,
    // An empty value counts as unset.
    NO_PROXY: withHosts(NO_PROXY || no_proxy, hosts),
    no_proxy: withHosts(no_proxy || NO_PROXY, hosts),
  };
}

/** An IPv6 address is listed with and without brackets, because programs differ. */
function hostsOf(url = ''): string[] {
  const { hostname } = new URL(url);
  return hostname.startsWith('[') ? [hostname.slice(1, -1), hostname] : [hostname];
}

function withHosts(list: string | undefined, hosts: readonly string[]): string {
  const listed = (list ?? '').split(/[\s,]+/).filter(each => each !== '');
  // Programs accept * only alone.
  if (listed.includes('*')) return list ?? '';
  return [...listed, ...hosts.filter(host => !listed.includes(host))].join(',');
}

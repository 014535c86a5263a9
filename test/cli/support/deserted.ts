import { createServer } from 'node:net';

/**
 * Returns an address of this machine at which nothing listens. Another test may soon use a port that was free a moment
 * ago, so this is a port of an otherwise unused loopback address; only Linux has more than one of these.
 */
export async function deserted(): Promise<string> {
  const url = await vacant();
  return process.platform === 'linux' ? url.replace('127.0.0.1', '127.77.0.1') : url;
}

/** Returns an address at which a test can listen: a port that was free a moment ago. */
export async function vacant(): Promise<string> {
  const probe = createServer();
  await new Promise<void>(resolve => probe.listen(0, '127.0.0.1', resolve));
  const address = probe.address();
  const port = typeof address === 'object' ? address?.port : 0;
  await new Promise(resolve => probe.close(resolve));
  return `http://127.0.0.1:${port}`;
}

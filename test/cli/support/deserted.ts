import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Returns an address of this machine at which nothing listens. Another test may soon use a port that was free a moment
 * ago, so this is a port of an otherwise unused loopback address; only Linux has more than one of these.
 */
export async function deserted(): Promise<string> {
  const url = await vacant();
  return process.platform === 'linux' ? url.replace('127.0.0.1', '127.77.0.1') : url;
}

/** Below the ports that systems give to servers on port 0 and to clients, so that no other test gets one meanwhile. */
const [FIRST_PORT, PORTS] = [20_000, 12_000];

/** Returns an address at which a test can listen: a random port that was free a moment ago. */
export async function vacant(): Promise<string> {
  for (;;) {
    const port = FIRST_PORT + randomInt(PORTS);
    const probe = createServer();
    const isFree = await new Promise<boolean>(resolve => {
      probe.once('error', () => resolve(false));
      probe.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise(resolve => probe.close(resolve));
    return `http://127.0.0.1:${port}`;
  }
}

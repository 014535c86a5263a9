import { createServer } from 'node:net';

/**
 * An address of this machine at which nothing listens. A port that was free a moment ago is soon given to another test,
 * so it is one of a loopback address that nobody uses; only Linux has more than one of these.
 */
export async function deserted(): Promise<string> {
  const probe = createServer();
  await new Promise<void>(resolve => probe.listen(0, '127.0.0.1', resolve));
  const address = probe.address();
  const port = typeof address === 'object' ? address?.port : 0;
  await new Promise(resolve => probe.close(resolve));
  return `http://${process.platform === 'linux' ? '127.77.0.1' : '127.0.0.1'}:${port}`;
}

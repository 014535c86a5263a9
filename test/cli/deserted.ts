import { createServer } from 'node:net';

/** An address of this machine at which nothing listens: a port that was free a moment ago. */
export async function deserted(): Promise<string> {
  const probe = createServer();
  await new Promise<void>(resolve => probe.listen(0, '127.0.0.1', resolve));
  const address = probe.address();
  const port = typeof address === 'object' ? address?.port : 0;
  await new Promise(resolve => probe.close(resolve));
  return `http://127.0.0.1:${port}`;
}

// A program with the types of browsers and without those of Node.js.
import { connect, type Sandbox } from 'card-sandbox';

export async function restart(url: string): Promise<string> {
  const sandbox: Sandbox = await connect({ url });
  await sandbox.reset();
  const response: Response = await sandbox.fetch('/v1/partner/cards');
  return response.ok ? sandbox.clock.now() : '';
}

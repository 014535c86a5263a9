// A CommonJS program, as NestJS and ts-node compile it.
import assert = require('node:assert/strict');

import { createSandbox, OptionError, type Sandbox } from 'card-sandbox';

async function main(): Promise<void> {
  const sandbox: Sandbox = createSandbox();
  const { id } = await sandbox.simulate.card();
  assert.equal((await sandbox.api.cards.get(id)).status, 'active');
  assert.throws(() => createSandbox({ seed: -1 }), OptionError);
  await sandbox.close();
  // Imported and required, the package is the same.
  const imported = await import('card-sandbox');
  assert.equal(imported.createSandbox, createSandbox);
  console.log(`required on ${process.version}`);
}

void main();

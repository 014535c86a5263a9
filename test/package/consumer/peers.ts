// The entry points that need peer packages.
import assert from 'node:assert/strict';
import { createSandbox } from 'card-sandbox';
import { handlers } from 'card-sandbox/msw';
import { type SandboxFixtures, sandboxTest } from 'card-sandbox/vitest';
import { setupServer } from 'msw/node';
import type { TestAPI } from 'vitest';

/** A Vitest test with a sandbox, which only Vitest itself can run. */
export type SandboxTest = ReturnType<typeof sandboxTest> extends TestAPI<SandboxFixtures> ? true : never;
export const isTest: SandboxTest = true;
assert.equal(typeof sandboxTest, 'function');

await using sandbox = createSandbox();
const server = setupServer(...handlers(sandbox, { baseUrl: 'https://api.partner.test/v1' }));
server.listen({ onUnhandledRequest: 'error' });
const headers = { 'x-service-api-key': sandbox.apiKey };
const { status } = await fetch('https://api.partner.test/v1/partner/cards', { headers });
assert.equal(status, 200);
server.close();
console.log(`peers complete on ${process.version}`);

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { startSandbox } from '../../support/sandbox.ts';

const BUILT = join(import.meta.dirname, '../../../dist/dashboard');
const MOST_BYTES = 150_000;

const files = () =>
  readdirSync(BUILT, { recursive: true, withFileTypes: true })
    .filter(each => each.isFile())
    .map(each => join(each.parentPath, each.name));

test('the dashboard is a page that no other may frame and that loads nothing from elsewhere', async () => {
  const { origin } = await startSandbox();
  for (const path of ['/dashboard', '/dashboard/']) {
    const response = await fetch(origin + path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    const policy = response.headers.get('content-security-policy');
    for (const rule of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"]) {
      expect(policy).toContain(rule);
    }
    expect(await response.text()).not.toMatch(/(?:src|href)="(?!\/dashboard\/assets\/)/);
  }
});

test('its assets are named after what is in them, so that a browser may keep them for good', async () => {
  const { origin } = await startSandbox();
  const html = await (await fetch(`${origin}/dashboard`)).text();
  const assets = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path ?? '');
  expect(assets.length).toBeGreaterThan(2);
  for (const path of assets) {
    const response = await fetch(origin + path);
    expect([path, response.status]).toEqual([path, 200]);
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  }
});

test('what is not there is a 404, and there is no way out of the folder', async () => {
  const { origin } = await startSandbox();
  for (const path of [
    '/dashboard/nothing',
    '/dashboard/assets/',
    '/dashboard/assets/..%2f..%2f..%2fpackage.json',
  ]) {
    expect((await fetch(origin + path)).status).toBeGreaterThanOrEqual(400);
  }
});

test('a page of another site is refused', async () => {
  const { origin } = await startSandbox();
  const foreign = { headers: { origin: 'https://evil.example' } };
  expect((await fetch(`${origin}/dashboard`, foreign)).status).toBe(403);
  expect((await fetch(`${origin}/dashboard`, { headers: { origin } })).status).toBe(200);
});

test('all of it is less than 150 kB, compressed', () => {
  const sizes = files().map(file => gzipSync(readFileSync(file), { level: 9 }).length);
  expect(sizes.length).toBeGreaterThan(3);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MOST_BYTES);
});

import { request } from 'undici';
import { expect, test } from 'vitest';
import { startSandbox } from '../../support/sandbox.ts';

/** What a first visit may transfer. */
const MAX_BYTES = 131_000;

test('the dashboard cannot be framed, and loads nothing from other origins', async () => {
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

test('the names of assets contain a hash, so that browsers can cache them forever', async () => {
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

test('an unknown asset is a 404, as is a path outside the folder', async () => {
  const { origin } = await startSandbox();
  for (const path of [
    '/dashboard/nothing.js',
    '/dashboard/main/nothing',
    '/dashboard/assets',
    '/dashboard/assets/',
    '/dashboard/assets/..%2f..%2f..%2fpackage.json',
  ]) {
    expect((await fetch(origin + path)).status).toBeGreaterThanOrEqual(400);
  }
});

test('a request from another site is refused', async () => {
  const { origin } = await startSandbox();
  const foreign = { headers: { origin: 'https://evil.example' } };
  expect((await fetch(`${origin}/dashboard`, foreign)).status).toBe(403);
  expect((await fetch(`${origin}/dashboard`, { headers: { origin } })).status).toBe(200);
});

test('a first visit transfers at most 131 kB, because texts are compressed for who accepts it', async () => {
  const { origin } = await startSandbox();
  const html = await (await fetch(`${origin}/dashboard`)).text();
  const assets = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path ?? '');
  let bytes = 0;
  for (const path of ['/dashboard', ...assets]) {
    const response = await request(origin + path, { headers: { 'accept-encoding': 'gzip' } });
    const { length } = Buffer.from(await response.body.arrayBuffer());
    if (/\.(?:js|css|svg)$/.test(path))
      expect([path, response.headers['content-encoding']]).toEqual([path, 'gzip']);
    bytes += length;
  }
  expect(bytes).toBeGreaterThan(10_000);
  expect(bytes).toBeLessThan(MAX_BYTES);
  const plain = await request(origin + (assets.find(each => each.endsWith('.js')) ?? ''));
  expect(plain.headers['content-encoding']).toBe(undefined);
  await plain.body.dump();
});

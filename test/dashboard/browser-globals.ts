import { afterAll, beforeAll, beforeEach, vi } from 'vitest';
import type { TestSandbox } from '../support/sandbox.ts';

/** The address of the page. */
let address = new URL('http://127.0.0.1/dashboard');
const listeners = new Map<string, Set<() => void>>();

/** Stands in for the globals of a browser that the modules of the page use, in the tests of a file. */
export function useBrowserGlobals(): void {
  const { fetch } = globalThis;
  const stored = new Map<string, string>();
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, text: string) => void stored.set(key, text),
    removeItem: (key: string) => void stored.delete(key),
  };
  const changeAddress = (_state: unknown, _unused: string, target: string) => {
    address = new URL(target, address);
  };
  const globals = {
    location: {
      get href() {
        return address.href;
      },
      get origin() {
        return address.origin;
      },
      get pathname() {
        return address.pathname;
      },
      get search() {
        return address.search;
      },
      get hash() {
        return address.hash;
      },
      set hash(text: string) {
        address = new URL(text, address);
        for (const listener of listeners.get('hashchange') ?? []) listener();
      },
    },
    history: { replaceState: changeAddress, pushState: changeAddress },
    addEventListener(type: string, listener: () => void) {
      listeners.set(type, (listeners.get(type) ?? new Set()).add(listener));
    },
    removeEventListener: (type: string, listener: () => void) => listeners.get(type)?.delete(listener),
    localStorage: storage,
    sessionStorage: storage,
    document: { documentElement: { dataset: {} } },
    fetch: (target: string, init?: RequestInit) => fetch(new URL(target, address), init),
  };
  beforeAll(() => {
    for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
  });
  // Each test opens a tab of its own.
  beforeEach(() => stored.clear());
  afterAll(() => {
    vi.unstubAllGlobals();
  });
}

/** Opens the dashboard of a sandbox at a place, and reads what every page has. */
export async function openPage({ origin }: Pick<TestSandbox, 'origin'>, hash = ''): Promise<void> {
  address = new URL('/dashboard', origin);
  location.hash = hash;
  const { loadAll } = await import('../../src/dashboard/data/store.ts');
  await loadAll();
}

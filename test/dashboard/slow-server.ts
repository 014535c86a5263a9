import { expect } from 'vitest';

/** A server that responds when the test says so. */
export function slowServer() {
  const pending: { readonly path: string; respond(body: unknown): Promise<void>; fail(): Promise<void> }[] =
    [];
  // The test decides what each path returns, so that the type is its own claim.
  const read = <T>(path: string) =>
    new Promise<T>((resolve, reject) => {
      pending.push({
        path,
        async respond(body) {
          resolve(body as T);
          await settled();
        },
        async fail() {
          reject(new Error('no connection'));
          await settled();
        },
      });
    });
  /** Takes the oldest request off the queue. */
  async function next(path: string) {
    await settled();
    const request = pending.shift();
    expect(request?.path).toBe(path);
    if (request === undefined) throw new Error(`no request for ${path}`);
    return request;
  }
  return { read, next, isIdle: () => pending.length === 0 };
}

/** Lets every promise that is already resolved call its listeners. */
const settled = () => new Promise<void>(resolve => void setImmediate(resolve));

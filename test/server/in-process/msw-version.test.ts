import { afterEach, expect, test, vi } from 'vitest';
import { createSandbox } from '../../../src/index.ts';

afterEach(() => {
  vi.doUnmock('msw');
  vi.resetModules();
  vi.unstubAllGlobals();
});

/** Calls `handlers` with what a version of MSW exports, on a version of Node.js. */
async function handlersWith(exports: object, node: string) {
  vi.resetModules();
  vi.doMock('msw', () => exports);
  const { handlers } = await import('../../../src/msw.ts');
  await using sandbox = createSandbox();
  vi.stubGlobal('process', Object.create(process, { versions: { value: { node } } }));
  return handlers(sandbox);
}

const MSW_3 = { http: { all: () => 'a handler' } };
const MSW_2 = { ...MSW_3, graphql: {} };

test.each(['20.19.0', '22.11.9'])(
  'MSW 3 on Node.js %s, on which it does not run, is an error that says so',
  async node => {
    await expect(handlersWith(MSW_3, node)).rejects.toThrow(
      `MSW 3 needs Node.js 22.12 or later, and this is ${node}; update Node.js, or install msw@2`,
    );
  },
);

test.each([
  ['3', MSW_3, '22.12.0'],
  ['3', MSW_3, '24.1.0'],
  ['2', MSW_2, '20.19.0'],
])('MSW %s has its handlers on Node.js it runs on', async (_version, exports, node) => {
  expect(await handlersWith(exports, node)).toEqual(['a handler']);
});

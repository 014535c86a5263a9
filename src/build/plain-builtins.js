/**
 * An esbuild plugin that reads Node's built-in modules with `process.getBuiltinModule`. For an import, Node creates a
 * module that reads every export of the built-in, including those that load whole libraries on first access: a quarter
 * of the start time.
 */
export const plainBuiltins = {
  name: 'plain-builtins',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:/ }, ({ path }) => ({ path, namespace: 'builtin' }));
    onLoad({ filter: /^/, namespace: 'builtin' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)});`,
    }));
  },
};

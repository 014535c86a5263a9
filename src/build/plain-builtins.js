/**
 * An esbuild plugin that reads Node's built-in modules with `process.getBuiltinModule`. For an import, Node creates a
 * module that reads every export of the built-in, including those that load whole libraries on first access: a quarter
 * of the start time.
 */
export const plainBuiltins = {
  name: 'plain-builtins',
  setup({ onResolve, onLoad }) {
    let imports = 0;
    onResolve({ filter: /^node:/ }, ({ path }) => {
      // Each import gets a copy, which is one line. One that is shared would be a file of its own.
      imports += 1;
      return { path: `${path}?${imports}`, namespace: 'builtin' };
    });
    onLoad({ filter: /^/, namespace: 'builtin' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path.split('?')[0])});`,
    }));
  },
};

/**
 * Has esbuild import what belongs to Node as it is. An import of its own would have Node make a module around it, which
 * reads each member once, those included that are loaded only when they are read: a quarter of a start.
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

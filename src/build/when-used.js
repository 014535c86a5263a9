/**
 * Has esbuild bundle a package of functions, in CommonJS, in such a way that it is run when the first of them is
 * called, and not when a file that imports it is loaded.
 */
export function whenUsed(name) {
  const ITSELF = 'the package itself';
  return {
    name: `when-used-${name}`,
    setup({ onResolve, onLoad, resolve }) {
      onResolve({ filter: new RegExp(`^${name}$`) }, async ({ path, resolveDir, pluginData }) => {
        if (pluginData === ITSELF) return undefined;
        const itself = await resolve(path, { resolveDir, kind: 'require-call', pluginData: ITSELF });
        return { path, namespace: 'when-used', pluginData: { file: itself.path, resolveDir } };
      });
      onLoad({ filter: /^/, namespace: 'when-used' }, async ({ pluginData: { file, resolveDir } }) => {
        // Node.js 23 and later list `module.exports` among the names of a CommonJS module.
        const functions = Object.keys(await import(name)).filter(
          each => !/^(?:default|module\.exports)$/.test(each),
        );
        const getters = functions.map(each => `get ${each}() { return itself().${each}; }`);
        const contents = `
          const itself = () => require(${JSON.stringify(file)});
          module.exports = { ${getters.join(', ')} };`;
        return { contents, resolveDir };
      });
    },
  };
}

/**
 * Creates an esbuild plugin that bundles a CommonJS package so that it runs when one of its exports is first read, not
 * when a module that imports it is loaded. All of its named exports must be functions or classes.
 *
 * The bundled command uses it for `yaml`: the built-in fixtures are JSON by then, so most starts parse no YAML, and
 * loading the parser takes 9 of the 200 ms of processor time of a start. A dynamic import would make it
 * asynchronous to read a fixture, and with it `createSandbox`.
 */
export function lazyPackage(name) {
  const RESOLVED = 'resolved';
  return {
    name: `lazy-${name}`,
    setup({ onResolve, onLoad, resolve }) {
      onResolve({ filter: new RegExp(`^${name}$`) }, async ({ path, resolveDir, pluginData }) => {
        if (pluginData === RESOLVED) return undefined;
        const main = await resolve(path, { resolveDir, kind: 'require-call', pluginData: RESOLVED });
        return { path, namespace: 'lazy-package', pluginData: { file: main.path, resolveDir } };
      });
      onLoad({ filter: /^/, namespace: 'lazy-package' }, async ({ pluginData: { file, resolveDir } }) => {
        const names = Object.keys(await import(name)).filter(each => each !== 'default');
        // A require inside a function is bundled as a lazy call.
        const getters = names.map(each => `get ${each}() { return load().${each}; }`);
        const contents = `
          const load = () => require(${JSON.stringify(file)});
          module.exports = { ${getters.join(', ')} };`;
        return { contents, resolveDir };
      });
    },
  };
}

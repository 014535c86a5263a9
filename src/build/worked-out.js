import { build as bundle } from 'esbuild';

/**
 * Has esbuild bundle the values that a module exports, as they are now, in the place of its code and of what that
 * imports. They must be data. `files` gets the files that the values come from.
 */
export function workedOut(module, files) {
  return {
    name: 'worked-out',
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        if (path !== module) return undefined;
        const { outputFiles, metafile } = await bundle({
          entryPoints: [module],
          bundle: true,
          write: false,
          format: 'esm',
          platform: 'node',
          metafile: true,
        });
        files.push(...Object.keys(metafile.inputs));
        const code = outputFiles[0].text;
        const values = await import(`data:text/javascript,${encodeURIComponent(code)}`);
        const lines = Object.entries(values).map(
          ([name, value]) => `export const ${name} = ${JSON.stringify(value)};`,
        );
        return { contents: lines.join('\n') };
      });
    },
  };
}

import { defineConfig, type Plugin } from 'vite';

/**
 * The editor of the console writes inline styles into two of its templates, which the content security policy refuses.
 * `styles/views/console.css` has them instead.
 */
const withoutInlineStyles: Plugin = {
  name: 'without-inline-styles',
  transform: (code, id) =>
    id.includes('prism-code-editor') && code.includes(' style=')
      ? code.replaceAll(' style=', ' data-css=')
      : null,
};

export default defineConfig({
  plugins: [withoutInlineStyles],
  base: '/dashboard/',
  build: {
    outDir: '../../dist/dashboard',
    emptyOutDir: true,
    // The content security policy admits no data: URLs for fonts and styles.
    assetsInlineLimit: 0,
    // The first that know light-dark().
    target: ['chrome123', 'firefox120', 'safari17.5'],
    modulePreload: false,
  },
});

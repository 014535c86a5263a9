import { defineConfig } from 'vite';

export default defineConfig({
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

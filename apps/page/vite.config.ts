import { defineConfig, type Plugin } from 'vite';

/** Which file of the bundle a package goes to, so that browsers keep what did not change. */
function chunkOf(id: string): string | undefined {
  if (!id.includes('/node_modules/')) return undefined;
  if (id.includes('/temml/')) return 'maths';
  if (id.includes('/highlight.js/')) return 'colour';
  if (id.includes('/@maxgraph/')) return 'canvas';
  if (id.includes('/dompurify/')) return 'purify';
  return 'vendor';
}

/** Has browsers paint nothing before the page has said which colours it has. */
const paintLater: Plugin = {
  name: 'paint-later',
  transformIndexHtml: {
    order: 'post',
    handler: (html) => html.replace('<script type="module"', '<script type="module" blocking="render"'),
  },
};

export default defineConfig({
  base: '/',
  plugins: [paintLater],
  esbuild: { jsx: 'automatic', jsxImportSource: 'preact', legalComments: 'none' },
  resolve: {
    alias: {
      react: 'preact/compat',
      'react-dom': 'preact/compat',
      'react/jsx-runtime': 'preact/jsx-runtime',
    },
  },
  build: {
    target: 'es2022',
    sourcemap: false,
    assetsDir: 'page/assets',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    cssCodeSplit: false,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1000,
    rollupOptions: { output: { manualChunks: chunkOf } },
  },
  server: { proxy: { '/v1': 'http://127.0.0.1:8080', '/api': 'http://127.0.0.1:8080' } },
});

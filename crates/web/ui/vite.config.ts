// How the page is built: plain files under dist/, which the server embeds. In development, /api goes to a running `gamete serve`.
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [svelte()],
  build: {
    target: 'es2022',
    // The content security policy allows images as data, but scripts, styles and fonts only as files.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: {
    proxy: { '/api': { target: 'http://127.0.0.1:4848', changeOrigin: true } },
  },
});

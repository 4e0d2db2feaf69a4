import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

export default defineConfig({
  plugins: [svelte()],
  build: {
    outDir: "../src/ananas/server/static",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    // The room's content policy allows scripts from itself only, so nothing may be inlined.
    modulePreload: { polyfill: false },
    reportCompressedSize: true,
  },
  server: {
    // The rule book stands among the documents.
    fs: { allow: [".."] },
    proxy: { "/api": { target: "http://localhost:8000", ws: true } },
  },
});

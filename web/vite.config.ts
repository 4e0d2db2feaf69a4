import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

import { book } from "./book.ts";
import { drawings } from "./drawings.ts";
import { drawnHere } from "./runtime.ts";

/** Finds these parts of the client. */
const part = (paths: string): ((id: string) => boolean) => {
  const pattern = new RegExp(`/src/(?:${paths})`);
  return (id) => pattern.test(id);
};

export default defineConfig({
  plugins: [svelte(), book(), drawings(), drawnHere()],
  build: {
    outDir: "../src/ananas/server/static",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    // The room's content policy allows scripts from itself only, so nothing may be inlined.
    modulePreload: { polyfill: false },
    reportCompressedSize: true,
    rolldownOptions: {
      input: { index: "index.html", sw: "src/sw/sw.ts" },
      // A service worker governs the pages below its own address, which has to stay the same.
      output: {
        entryFileNames: ({ name }) => (name === "sw" ? "sw.js" : "assets/[name]-[hash].js"),
        // Few files pack better than many: what the table needs at once is one.
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            { name: "index", tags: ["$initial"], test: (id) => !id.includes("/src/sw/") },
            { name: "Lobby", test: part("table/(Lobby|Invite|Bottom|ChipsRange|SitForm|ReadyBar)") },
            // What a table fetches ahead: all about hands that are over, and all else.
            {
              name: "hands",
              test: part(
                "table/(Hints|Showdown|counted|Score|OwnResult|halted|[A-Za-z]+Bar)|replay/|review/(Glance|Mark|judged|asked)|coach|" +
                  "pages/(Replay|Hands|Account)",
              ),
            },
            {
              name: "lively",
              test: part(
                "table/(lively|Told|announce|toasts|Dialogs|HostDesk|Phrases|Reaction|Side|Heard|Bubbles|talk)|" +
                  "board/(drag|keys|DeckGrid|Watched)|fair/|senses/(?!switches|notify|shake|touched)",
              ),
            },
            { name: "house", test: part("house/|table/(RoyaltyTable|NewRules)|home/(OpenForm|opening)") },
            { name: "Coach", test: part("review/(?!Glance|Mark|judged|asked)|puzzle/(?!kept)|pages/(Review|Puzzle)") },
            { name: "Home", test: part("home/(?!Open|opening|You|me|kept|Tongue)|pages/(Home|Device|Lost)") },
            // What several of these share.
            {
              name: "common",
              test: part(
                "table/(Dialog\\.|Settings|fresh|pictures)|bots/|puzzle/kept|home/(You|me|kept|Tongue)|board/(motion|seen)|" +
                  "senses/(switches|notify|shake|touched)",
              ),
            },
          ],
        },
      },
    },
  },
  server: {
    // The rule book stands among the documents.
    fs: { allow: [".."] },
    proxy: { "/api": { target: "http://localhost:8000", ws: true } },
  },
});

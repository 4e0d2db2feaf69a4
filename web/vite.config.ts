import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

import { book } from "./book.ts";

/** Finds these parts of the client. */
const part = (paths: string): ((id: string) => boolean) => {
  const pattern = new RegExp(`/src/(?:${paths})`);
  return (id) => pattern.test(id);
};

export default defineConfig({
  plugins: [svelte(), book()],
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
            {
              name: "Showdown",
              test: part("table/(Showdown|counted|Score|OwnResult|halted|RoyaltyTable|[A-Za-z]+Bar)"),
            },
            { name: "rules", test: part("house/(RuleList|TableRules|values|sets)") },
            { name: "house", test: part("house/(RulesPicker|HouseForm|faults|picking)|table/NewRules") },
            { name: "Home", test: part("home/(?!Open|opening|You|me|kept|Tongue)|pages/(Home|Device|Lost)") },
            { name: "records", test: part("replay/|pages/(Replay|Hands|Account)") },
            {
              name: "settings",
              test: part("table/(Dialog\\.|Settings)|home/You|senses/(switches|notify|shake|touched)"),
            },
            {
              name: "Dialogs",
              test: part("(table|board)/(Dialogs|HostDesk|Phrases|Reaction|DeckGrid|Side|Heard|Bubbles|talk)"),
            },
            { name: "senses", test: part("senses/(?!switches|notify|shake|touched)") },
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

// Leaves out of Svelte's runtime what takes over pages that a server has drawn: here all is drawn in the browser.
import type { Plugin } from "vite";

/** Where the runtime says whether it takes over, and what it says there. */
const WHERE = /\/svelte\/src\/internal\/client\/dom\/hydration\.js/;
const SAYS = "export let hydrating = false;";
const SETS = "\thydrating = value;\n";

export function drawnHere(): Plugin {
  return {
    name: "drawn-here",
    apply: "build",
    transform(code, id) {
      if (!WHERE.test(id)) return null;
      if (!code.includes(SAYS) || !code.includes(SETS)) throw new Error("Svelte's runtime has changed: see runtime.ts");
      return { code: code.replace(SAYS, "export const hydrating = false;").replace(SETS, ""), map: null };
    },
  };
}

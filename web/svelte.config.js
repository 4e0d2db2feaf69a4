import { vitePreprocess } from "@sveltejs/vite-plugin-svelte";

export default {
  preprocess: vitePreprocess(),
  compilerOptions: {
    runes: true,
    // Short names of styles: there are many of them.
    cssHash: ({ css, hash }) => `s${hash(css).slice(0, 5)}`,
  },
};

import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

// Vitest sorts its failures with Map.groupBy, which Node 20 has not yet.
if (!("groupBy" in Map)) {
  Object.assign(Map, {
    groupBy<T, K>(items: Iterable<T>, key: (item: T) => K): Map<K, T[]> {
      const groups = new Map<K, T[]>();
      for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item]);
      return groups;
    },
  });
}

export default defineConfig({
  plugins: [svelte()],
  test: { include: ["src/**/*.test.ts"], css: true },
});

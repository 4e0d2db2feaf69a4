// What is remembered of a table's deals for as long as the window is open, so that a reload can go on checking.
import type { Memory, Noted } from "./keeper";

const key = (table: string): string => `ananas.deals.${table}`;

export const memoryOf = (table: string): Memory => ({
  load() {
    try {
      return JSON.parse(sessionStorage.getItem(key(table)) ?? "[]") as Noted[];
    } catch {
      return [];
    }
  },
  save(noted) {
    try {
      sessionStorage.setItem(key(table), JSON.stringify(noted));
    } catch {
      // Then a reload knows no more than a newcomer.
    }
  },
});

// The open tables, asked for again and again while somebody looks.
import { publicTables, type TableCard } from "../api";

const EVERY_MS = 5000;

export class OpenTables {
  /** null until the room has said it once. */
  list = $state.raw<readonly TableCard[] | null>(null);
  /** Whether the room did not answer the last time. */
  away = $state(false);

  async ask(): Promise<void> {
    try {
      this.list = (await publicTables()).tables;
      this.away = false;
    } catch {
      this.away = true;
    }
  }

  /** Ask now and from now on, while the page is seen; gives what ends it. */
  watch(page: Pick<Document, "visibilityState" | "addEventListener" | "removeEventListener"> = document): () => void {
    let next: ReturnType<typeof setTimeout> | undefined;
    let asking = false;
    let over = false;
    const ask = async (): Promise<void> => {
      clearTimeout(next);
      if (asking || over || page.visibilityState !== "visible") return;
      asking = true;
      await this.ask();
      asking = false;
      next = setTimeout(() => void ask(), EVERY_MS);
    };
    const look = (): void => void ask();
    page.addEventListener("visibilitychange", look);
    void ask();
    return () => {
      over = true;
      clearTimeout(next);
      page.removeEventListener("visibilitychange", look);
    };
  }
}

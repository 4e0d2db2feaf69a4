// To a table with a bot at once, from wherever one asks for it.
import { openTable } from "../api";
import { practiceBot } from "../bots/bots";
import type { Messages } from "../languages/ru";
import { route } from "../route.svelte";
import { hasPlayed } from "./kept";
import { me } from "./me.svelte";

/** Open it and go there, under the name the room knows or, where it knows none, a friendly one. */
export async function playAtOnce({ home: words }: Messages): Promise<void> {
  await me.beSomebody(words.guest);
  const { table } = await openTable({
    name: words.quickTable,
    rules: "room",
    set: { seats: "2-2", point_price: "0" },
    bots: [practiceBot()],
    public: false,
  });
  hasPlayed();
  route.go(`/t/${table}`, "play");
}

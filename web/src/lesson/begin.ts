// The lesson's page together with its hand.
import Lesson from "../pages/Lesson.svelte";
import { fetchHand } from "./hand";

export async function begin(): Promise<{ default: typeof Lesson }> {
  await fetchHand();
  return { default: Lesson };
}

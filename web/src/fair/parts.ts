// The check of the deal: fetched as soon as the table is shown, since one's part in the shuffle comes before the hand.
export { default as Check } from "./Check.svelte";
export { default as Mark } from "./Mark.svelte";
export { default as Sheet } from "./Sheet.svelte";

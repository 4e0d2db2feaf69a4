// Everything about talk that has to be there before somebody speaks.
export { default as Bubbles } from "./Bubbles.svelte";
export { Talk } from "./talk.svelte";

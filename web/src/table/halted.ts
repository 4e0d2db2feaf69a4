// What stands where the buttons are while nothing can be laid here.
export { default as BreakBar } from "./BreakBar.svelte";
export { default as ElsewhereBar } from "./ElsewhereBar.svelte";

// The showdown and the pause after it: fetched ahead while cards are laid.
export { default as OwnResult } from "./OwnResult.svelte";
export { default as PauseBar } from "./PauseBar.svelte";
export { default as Showdown } from "./Showdown.svelte";

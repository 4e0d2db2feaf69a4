// Cards that can be dragged, laid by keys, and that glide; and what is told aloud.
export { drag } from "../board/drag";
export { stroke } from "../board/keys";
export { glide, places } from "../board/motion";
export { default as Told } from "./Told.svelte";

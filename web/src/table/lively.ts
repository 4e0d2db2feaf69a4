// Cards that can be dragged and that glide, and what is told aloud.
export { drag } from "../board/drag";
export { glide, places } from "../board/motion";
export { default as Told } from "./Told.svelte";

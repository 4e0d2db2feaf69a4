// Where the coach would lay the cards in hand, while a hint is looked at.
import type { Board } from "../protocol";
import { EMPTY } from "./cards";

class Ghosts {
  board = $state.raw<Board>(EMPTY);
}

export const ghosts = new Ghosts();

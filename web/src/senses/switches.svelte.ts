// What the table may do besides being looked at: each of them a switch that this browser remembers.
import { remember, remembered } from "../remember";

class Switch {
  readonly #name: string;
  #on: boolean = $state(false);

  constructor(name: string, usual: boolean) {
    this.#name = name;
    this.#on = (remembered(name) ?? (usual ? "on" : "off")) === "on";
  }

  get on(): boolean {
    return this.#on;
  }

  set on(on: boolean) {
    this.#on = on;
    remember(this.#name, on ? "on" : "off");
  }
}

export const sounds = new Switch("sound", true);
export const shakes = new Switch("vibration", true);
/** At a table with bots alone. */
export const hints = new Switch("hints", false);
export const notices = new Switch("notify", false);

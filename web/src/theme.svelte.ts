// How it all looks: night or day, and the colours of the suits. The system's choice, until the player makes his own.
import { remember, remembered } from "./remember";

export const THEMES = ["system", "dark", "light"] as const;
export type Theme = (typeof THEMES)[number];

export const PALETTES = ["four", "safe", "two"] as const;
export type Palette = (typeof PALETTES)[number];

/** One of a few words, kept in this browser and shown to the style sheets as an attribute of the page. */
class Choice<T extends string> {
  readonly #name: string;
  readonly #usual: T;
  #current: T = $state() as T;

  constructor(name: string, choices: readonly T[], usual: T) {
    const kept = remembered(name);
    this.#name = name;
    this.#usual = usual;
    this.#current = choices.find((choice) => choice === kept) ?? usual;
  }

  get current(): T {
    return this.#current;
  }

  choose(choice: T): void {
    this.#current = choice;
    remember(this.#name, choice);
    this.show();
  }

  show(): void {
    const { dataset } = document.documentElement;
    if (this.#current === this.#usual) Reflect.deleteProperty(dataset, this.#name);
    else dataset[this.#name] = this.#current;
  }
}

export const theme = new Choice<Theme>("theme", THEMES, "system");
export const palette = new Choice<Palette>("suits", PALETTES, "four");

// Who one is to the room, as far as the pages outside the tables need it.
import { signIn, whoAmI } from "../api";

class Me {
  /** null: nobody yet; undefined: the room has not been heard. */
  name = $state<string | null | undefined>();

  async ask(): Promise<void> {
    this.name = (await whoAmI()).name;
  }

  /** Be called so from now on. */
  async be(name: string): Promise<void> {
    if (this.name === undefined) await this.ask();
    if (name !== this.name) this.name = (await signIn(name)).name;
  }

  /** Be somebody: who has no name yet gets a friendly one. */
  async beSomebody(friendly: (n: number) => string): Promise<void> {
    if (this.name === undefined) await this.ask();
    this.name ??= (await signIn(friendly(100 + Math.floor(Math.random() * 900)))).name;
  }
}

export const me = new Me();

// How the deal at the table stands, for the sheet that lies over the table.
import type { Keeper, Standing } from "./keeper";

class Shown {
  standing = $state.raw<Standing | null>(null);
  keeper: Keeper | null = null;
}

export const shown = new Shown();

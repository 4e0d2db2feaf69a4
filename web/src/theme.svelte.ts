// Night or day: the system's choice until the player makes his own.
import { remember, remembered } from "./remember";

export const THEMES = ["system", "dark", "light"] as const;
export type Theme = (typeof THEMES)[number];

const known = (text: string | null): Theme => THEMES.find((theme) => theme === text) ?? "system";

class ThemeChoice {
  current = $state<Theme>(known(remembered("theme")));

  choose(theme: Theme): void {
    this.current = theme;
    remember("theme", theme);
    this.show();
  }

  show(): void {
    if (this.current === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = this.current;
  }
}

export const theme = new ThemeChoice();

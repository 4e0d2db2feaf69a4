// Putting the room on the home screen: the browser offers it, and the page asks for it.
import { offer } from "../offer";

/** What Chromium sends; other browsers have a menu of their own. */
interface InstallPrompt extends Event {
  prompt: () => Promise<unknown>;
}

class Install {
  #offered = $state(offer.event !== null);

  constructor() {
    const look = (): void => {
      this.#offered = offer.event !== null;
    };
    offer.heard = look;
    addEventListener("appinstalled", () => {
      offer.event = null;
      look();
    });
  }

  get possible(): boolean {
    return this.#offered;
  }

  ask(): void {
    // An offer can be taken once; whoever closes it needs no answer.
    (offer.event as InstallPrompt | null)?.prompt().catch(() => undefined);
    offer.event = null;
    this.#offered = false;
  }
}

export const install = new Install();

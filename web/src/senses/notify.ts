// A notice of the browser's own that it is one's turn, for when the page is not looked at.

/** What is said; the service worker brings the window to the front when it is touched. */
export interface Notice {
  title: string;
  body: string;
  /** Where a click leads. */
  url: string;
}

/** There is one of them at a time. */
const TAG = "turn";
const ICON = "/icon-192.png";

/** Whether this browser has notices at all; over plain http, as in a home network, none does. */
export const canNotify = (): boolean => "Notification" in globalThis && isSecureContext;

/** Whether the player has allowed them, asking him where he was never asked. */
export async function allowed(): Promise<boolean> {
  if (!canNotify()) return false;
  if (Notification.permission !== "default") return Notification.permission === "granted";
  return (await Notification.requestPermission()) === "granted";
}

export class Notifier {
  #shown: (() => void)[] = [];
  /** Counts what was asked for: what is shown too late is taken away at once. */
  #wanted = 0;

  async show({ title, body, url }: Notice): Promise<void> {
    this.hush();
    if (!canNotify() || Notification.permission !== "granted") return;
    const wanted = this.#wanted;
    const options = { body, tag: TAG, icon: ICON, data: { url } };
    const worker = "serviceWorker" in navigator ? await navigator.serviceWorker.getRegistration() : undefined;
    if (wanted !== this.#wanted) return;
    if (worker?.active) {
      // Phones show notices only of a service worker.
      await worker.showNotification(title, options).catch(() => undefined);
      const close = (): void => {
        void worker.getNotifications({ tag: TAG }).then((all) => {
          for (const notice of all) notice.close();
        });
      };
      if (wanted === this.#wanted) this.#shown.push(close);
      else close();
      return;
    }
    try {
      const notice = new Notification(title, options);
      notice.onclick = () => {
        window.focus();
        notice.close();
      };
      this.#shown.push(() => {
        notice.close();
      });
    } catch {
      // Where only a service worker may show one, and there is none.
    }
  }

  /** The turn is over, or somebody looks at it. */
  hush(): void {
    this.#wanted++;
    for (const close of this.#shown) close();
    this.#shown = [];
  }
}

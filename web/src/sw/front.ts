// A notice that was touched brings the page it is about to the front.

export interface Window {
  url: string;
  focus: () => Promise<unknown>;
}
export interface Windows {
  matchAll: (options: { type: "window"; includeUncontrolled: boolean }) => Promise<readonly Window[]>;
  openWindow: (url: string) => Promise<unknown>;
}

/** To the front with the window that shows this path; where there is none any more, it is opened. */
export async function toFront(path: string, windows: Windows): Promise<void> {
  const all = await windows.matchAll({ type: "window", includeUncontrolled: true });
  const found = all.find(({ url }) => new URL(url).pathname === path);
  await (found ? found.focus() : windows.openWindow(path));
}

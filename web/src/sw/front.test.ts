import { expect, test } from "vitest";

import { toFront, type Windows } from "./front";

function windows(...urls: string[]): { done: string[]; world: Windows } {
  const done: string[] = [];
  const note = (what: string) => (): Promise<void> => Promise.resolve(void done.push(what));
  const world: Windows = {
    matchAll: () => Promise.resolve(urls.map((url) => ({ url, focus: note(`focus ${url}`) }))),
    openWindow: (url) => note(`open ${url}`)(),
  };
  return { done, world };
}

test("the window that shows the table comes to the front", async () => {
  const { done, world } = windows("https://room.example/", "https://room.example/t/friday?from=link#boards");
  await toFront("/t/friday", world);
  expect(done).toEqual(["focus https://room.example/t/friday?from=link#boards"]);
});

test("where it was closed it is opened anew", async () => {
  const { done, world } = windows("https://room.example/");
  await toFront("/t/friday", world);
  expect(done).toEqual(["open /t/friday"]);
});

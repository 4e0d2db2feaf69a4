import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import html from "./away.html?raw";
import { asset, awayPage, kindOf, page } from "./serve";

const ROOM = "https://room.example";
const request = (
  url: string,
  mode: RequestMode = "cors",
  method = "GET",
): Pick<Request, "method" | "mode" | "url"> => ({
  url,
  mode,
  method,
});

describe("what the worker has to do with", () => {
  test.each([
    [request(`${ROOM}/`, "navigate"), "page"],
    [request(`${ROOM}/t/dnepr-71?x=1`, "navigate"), "page"],
    [request(`${ROOM}/assets/index-abc.js`), "asset"],
    [request(`${ROOM}/assets/font.woff2`, "no-cors"), "asset"],
    // The room's answers are never kept, not even when they are opened as a page.
    [request(`${ROOM}/api/me`), null],
    [request(`${ROOM}/api/tables/a/hands.ofc`, "navigate"), null],
    [request(`${ROOM}/api/tables`, "cors", "POST"), null],
    [request(`${ROOM}/manifest.webmanifest`), null],
    [request("https://elsewhere.example/assets/a.js"), null],
  ])("%o: %s", (asked, kind) => {
    expect(kindOf(asked, ROOM)).toBe(kind);
  });
});

describe("a page", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const away = (): Promise<Response> => Promise.resolve(new Response("away", { status: 503 }));
  const text = async (asked: Promise<Response>): Promise<string> => {
    const answer = page(asked, away, 1000);
    await vi.advanceTimersByTimeAsync(2000);
    return (await answer).text();
  };

  test("is the room's own", async () => {
    expect(await text(Promise.resolve(new Response("new")))).toBe("new");
  });
  test("that is not there is the room's own answer too", async () => {
    expect(await text(Promise.resolve(new Response("lost", { status: 404 })))).toBe("lost");
    expect(await text(Promise.resolve(new Response("not built", { status: 503 })))).toBe("not built");
  });
  test("says that the room is away where it cannot be reached, or not in time, or by nobody", async () => {
    expect(await text(Promise.reject(new TypeError("no network")))).toBe("away");
    expect(await text(new Promise(() => undefined))).toBe("away");
    expect(await text(Promise.resolve(new Response("bad gateway", { status: 502 })))).toBe("away");
  });
});

describe("a file that never changes", () => {
  const FILE = new Request(`${ROOM}/assets/a.js`);
  const urlOf = (asked: RequestInfo | URL): string => (asked as Request).url;
  /** A cache, and what lies in it. */
  function cache(): Pick<Cache, "match" | "put"> & { kept: Map<string, Response> } {
    const kept = new Map<string, Response>();
    return {
      kept,
      match: (asked) => Promise.resolve(kept.get(urlOf(asked))),
      put: (asked, answer) => {
        kept.set(urlOf(asked), answer);
        return Promise.resolve();
      },
    };
  }

  test("is asked for once", async () => {
    const kept = cache();
    const ask = vi.fn(() => Promise.resolve(new Response("code")));
    expect(await (await asset(FILE, kept, ask)).text()).toBe("code");
    expect(await (await asset(FILE, kept, ask)).text()).toBe("code");
    expect(ask).toHaveBeenCalledTimes(1);
  });
  test("is not kept where it was not there", async () => {
    const kept = cache();
    await asset(FILE, kept, () => Promise.resolve(new Response("no", { status: 404 })));
    expect(kept.kept.size).toBe(0);
  });
  test("is given even where it cannot be kept", async () => {
    const kept = { ...cache(), put: () => Promise.reject(new Error("the disk is full")) };
    expect(await (await asset(FILE, kept, () => Promise.resolve(new Response("code")))).text()).toBe("code");
  });
});

describe("the page that says that the room is away", () => {
  test("lets its own script run and no other", async () => {
    const answer = await awayPage(new Response(html));
    expect(answer.headers.get("content-security-policy")).toMatch(/script-src 'sha256-[\w+/]{43}='/);
    expect(html.match(/<script/g)).toHaveLength(1);
  });
  test("asks for nothing but whether the room is there", () => {
    expect(html).not.toMatch(/(?:src|href)=|url\(|@import/);
    expect([...html.matchAll(/fetch\("([^"]+)"/g)].map(([, path]) => path)).toEqual(["/api/room"]);
  });
  test("says it in both languages", () => {
    expect(html).toContain("Комната сейчас не отвечает");
    expect(html).toContain("The room does not answer right now");
  });
});

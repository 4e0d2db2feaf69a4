// What the service worker answers, apart from the worker itself, so that it can be tested.

/** How long a page of the room is waited for before one is told that the room does not answer. */
export const PATIENCE_MS = 5000;

export type Kind = "page" | "asset";

/** What a request is for, as far as the worker has to do with it; null: the browser asks the room as ever. */
export function kindOf({ method, mode, url }: Pick<Request, "method" | "mode" | "url">, origin: string): Kind | null {
  const { origin: from, pathname } = new URL(url);
  if (method !== "GET" || from !== origin || pathname.startsWith("/api/")) return null;
  if (mode === "navigate") return "page";
  return pathname.startsWith("/assets/") ? "asset" : null;
}

/** Whether somebody before the room says that he does not reach it. */
const isAway = (status: number): boolean => status === 502 || status === 504 || status >= 520;

/** The page as the room has it now; without an answer the page that says so. */
export async function page(
  asked: Promise<Response>,
  away: () => Promise<Response>,
  patience = PATIENCE_MS,
): Promise<Response> {
  const late = new Promise<null>((resolve) => setTimeout(resolve, patience, null));
  const answer = await Promise.race([asked.catch(() => null), late]);
  return answer === null || isAway(answer.status) ? away() : answer;
}

/** A file that never changes: as it was kept, else from the room, and kept. */
export async function asset(
  request: Request,
  kept: Pick<Cache, "match" | "put">,
  ask: (request: Request) => Promise<Response>,
): Promise<Response> {
  const found = await kept.match(request);
  if (found) return found;
  const answer = await ask(request);
  // A full disk is no reason to go without.
  if (answer.status === 200) await kept.put(request, answer.clone()).catch(() => undefined);
  return answer;
}

/** A page whose one script may run, and no other; it may ask the room whether it is there. */
export async function awayPage(kept: Response | undefined): Promise<Response> {
  // Whoever has emptied the cache sees what the browser itself says.
  if (!kept) return Response.error();
  const html = await kept.text();
  const script = /<script>([\s\S]*?)<\/script>/.exec(html)?.[1] ?? "";
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(script));
  const text = btoa(String.fromCharCode(...new Uint8Array(hash)));
  return new Response(html, {
    status: 503,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "content-security-policy":
        `default-src 'none'; script-src 'sha256-${text}'; style-src 'unsafe-inline'; connect-src 'self'; ` +
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    },
  });
}

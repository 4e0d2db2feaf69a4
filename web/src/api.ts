// The room's few REST routes.
import type { BotName } from "./bots/bots";
import type { Account, HandList, HandReplay, RefusedMessage } from "./protocol";

export type Code = RefusedMessage["code"];

/** Why something was not done, to be told in the reader's language; `offline` is this client's own. */
export interface Reason {
  code: Code | "offline";
  args: Record<string, string | number>;
  text: string;
}

export class Refusal extends Error {
  constructor(readonly reason: Reason) {
    super(reason.text);
  }
}

export interface NewTable {
  name: string;
  /** A named set of rules, and what is to differ from it, as text by name. */
  rules: string;
  set: Record<string, string>;
  /** In the order they sit down in. */
  bots: readonly BotName[];
  /** Whether it is shown among the open tables. */
  public: boolean;
}

/** What anybody may know of a table before he joins; `changes`: the rules that differ from the named set. */
export interface TableCard {
  table: string;
  name: string;
  rules: string;
  changes: Record<string, string>;
  seats: [number, number];
  buy_in: [number, number];
  point_price: number;
  sitters: { name: string; bot: boolean }[];
  playing: boolean;
  hands: number;
}

/** Ask the room, and give what it answers; rejects with a `Refusal`. */
export async function call<T>(path: string, body?: object): Promise<T> {
  let response: Response;
  try {
    response = await fetch(
      path,
      body && { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) },
    );
  } catch {
    throw new Refusal({ code: "offline", args: {}, text: "the room cannot be reached" });
  }
  const answer: unknown = await response.json().catch(() => null);
  if (response.ok) return answer as T;
  if (answer !== null && typeof answer === "object" && "code" in answer) throw new Refusal(answer as Reason);
  throw new Refusal({ code: "offline", args: {}, text: `the room answered ${String(response.status)}` });
}

export const whoAmI = (): Promise<{ name: string | null }> => call("/api/me");
export const signIn = (name: string): Promise<{ name: string }> => call("/api/guests", { name });
export const openTable = (table: NewTable): Promise<{ table: string }> => call("/api/tables", table);
export const aboutTable = (id: string): Promise<TableCard> => call(`/api/tables/${id}`);
export const publicTables = (): Promise<{ tables: TableCard[] }> => call("/api/tables");
/** A link by which another device becomes the same guest, once. */
export const newDevice = (): Promise<{ link: string; seconds: number }> => call("/api/devices", {});
export const qrOfDevice = (link: string): string => `/api/devices/${link}/qr.svg`;
export const aboutDevice = (link: string): Promise<{ name: string }> => call(`/api/devices/${link}`);
export const becomeDevice = (link: string): Promise<{ name: string }> => call(`/api/devices/${link}`, {});
export const aboutRoom = (): Promise<{ version: string; public_url: string | null }> => call("/api/room");
export const qrOf = (id: string): string => `/api/tables/${id}/qr.svg`;
export const handsOf = (id: string): Promise<HandList> => call(`/api/tables/${id}/hands`);
export const handOf = (id: string, number: number): Promise<HandReplay> => call(`/api/tables/${id}/hands/${number}`);
export const shareHand = (id: string, number: number, names: boolean): Promise<{ link: string }> =>
  call(`/api/tables/${id}/hands/${number}/share`, { names });
export const sharedHand = (link: string): Promise<HandReplay> => call(`/api/shared/${link}`);
/** The proof of a deal, byte by byte as the room has it. */
export async function fetchProof(path: string): Promise<Uint8Array> {
  const response = await fetch(path).catch(() => null);
  if (response?.ok) return new Uint8Array(await response.arrayBuffer());
  const answer: unknown = await response?.json().catch(() => null);
  if (typeof answer === "object" && answer !== null && "code" in answer) throw new Refusal(answer as Reason);
  throw new Refusal({ code: "offline", args: {}, text: "the room cannot be reached" });
}
export const accountOf = (id: string): Promise<Account> => call(`/api/tables/${id}/account`);
export const lineTo = (id: string): string =>
  `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/api/tables/${id}/socket?proof=1&window=${windowName}`;

const WINDOW = "ananas.window";

/**
 * The name of this window, so that the room knows it again after a reload. A window that is copied gets a name of its
 * own: the name lies in the window's storage only while no page is loaded.
 */
export const windowName: string = (() => {
  const fresh = Array.from(crypto.getRandomValues(new Uint8Array(12)), (b) => b.toString(16).padStart(2, "0")).join("");
  try {
    const name = sessionStorage.getItem(WINDOW) ?? fresh;
    sessionStorage.removeItem(WINDOW);
    addEventListener("pagehide", () => {
      sessionStorage.setItem(WINDOW, name);
    });
    return name;
  } catch {
    return fresh;
  }
})();

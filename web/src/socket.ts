// The line to one table: it connects, keeps itself alive, comes back by itself, and loses or doubles no command.
// What belongs here: sockets, time between them, command ids. What does not: what a message means.
import type {
  AnyClientMessage,
  AnyServerMessage,
  Draft,
  Echo,
  Ping,
  Proof,
  RefusedMessage,
  Say,
  TableView,
  TakeOver,
} from "./protocol";

/** `gone`: there is no such table; nobody calls again. */
export type LineStatus = "connecting" | "open" | "lost" | "gone";

type Command = Exclude<AnyClientMessage, Draft | Echo | Ping | Say | TakeOver>;
/** A command as the page asks for it; its id is made here. */
export type Ask = Command extends infer C ? (C extends Command ? Omit<C, "id"> : never) : never;

export interface LineEvents {
  /** `elsewhere`: one's seat is played from another window. */
  view(view: TableView, elsewhere: boolean): void;
  /** By what cards can be checked that are shown. */
  opened(proof: Proof): void;
  kept(id: string): void;
  refused(refusal: RefusedMessage): void;
  status(status: LineStatus): void;
}

/** What a browser has and a test brings: sockets, chance, and the moments at which it is worth trying at once. */
export interface LineWorld {
  socket(url: string): WebSocket;
  random(): number;
  commandId(): string;
  /** Calls back when the network or the page comes back; returns how to stop that. */
  onWake(wake: () => void): () => void;
}

const PING_EVERY = 5_000;
const SILENCE = 8_000;
const LOOK_EVERY = 500;
/** How long a call that was just made is left alone, whatever wakes the page. */
const PATIENCE = 1_000;
const FIRST_WAIT = 250;
/** A lost network is looked for often; a room that stays away is called less and less. */
const LONGEST_WAIT = 1_000;
const LONGEST_WAIT_FOR_ROOM = 5_000;
const TRIES_FOR_NETWORK = 60;
const RESTARTS = 1012;
/** All are told in the same moment that the room restarts: their calls are spread over so long, the first and later ones. */
const SPREAD_AFTER_RESTART = 5_500;
const SPREAD_WHILE_AWAY = 3_000;
const NO_SUCH_TABLE = 4404;

export const browser: LineWorld = {
  socket: (url) => new WebSocket(url),
  random: () => Math.random(),
  // Not randomUUID: over plain http, as in a home network, browsers do not have it.
  commandId: () =>
    Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) => b.toString(16).padStart(2, "0")).join(""),
  onWake(wake) {
    const shown = (): void => {
      if (document.visibilityState === "visible") wake();
    };
    addEventListener("online", wake);
    addEventListener("pageshow", wake);
    document.addEventListener("visibilitychange", shown);
    return () => {
      removeEventListener("online", wake);
      removeEventListener("pageshow", wake);
      document.removeEventListener("visibilitychange", shown);
    };
  },
};

export class Line {
  readonly #url: string;
  readonly #events: LineEvents;
  readonly #world: LineWorld;
  readonly #stopWaking: () => void;
  /** Commands without an answer, oldest first: a new connection sends them again under the same ids. */
  readonly #unanswered = new Map<string, Command>();
  #socket: WebSocket | null = null;
  #version = -1;
  #heard = 0;
  #failures = 0;
  /** How often a room that said it restarts has been called in vain; null where it has not said so. */
  #restarting: number | null = null;
  #beat: ReturnType<typeof setInterval> | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;

  constructor(url: string, events: LineEvents, world: LineWorld = browser) {
    this.#url = url;
    this.#events = events;
    this.#world = world;
    this.#stopWaking = world.onWake(() => {
      this.#wake();
    });
    events.status("connecting");
    this.#connect();
  }

  /** Send a command until it is answered; gives the id the answer will bear. */
  ask(ask: Ask): string {
    const id = this.#world.commandId();
    const command: Command = { ...ask, id };
    this.#unanswered.set(id, command);
    this.#send(command);
    return id;
  }

  /** Send a draft; one that cannot go now is not worth keeping. */
  draft(draft: Omit<Draft, "type">): boolean {
    return this.#send({ type: "draft", ...draft });
  }

  /** Say something that is worth nothing later; tells whether it went out. */
  tell(message: Say | TakeOver): boolean {
    return this.#send(message);
  }

  /** Call anew, as somebody who has just got a name must. */
  reconnect(): void {
    this.#failures = 0;
    this.#connect();
  }

  close(): void {
    this.#stopWaking();
    this.#drop();
  }

  #drop(): void {
    clearInterval(this.#beat);
    clearTimeout(this.#retry);
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  #connect(): void {
    this.#drop();
    const socket = this.#world.socket(this.#url);
    this.#socket = socket;
    this.#heard = performance.now();
    const current = (): boolean => this.#socket === socket;
    socket.onopen = () => {
      if (!current()) return;
      this.#heard = performance.now();
      // What a new connection shows first is the truth, whatever came over the old one.
      this.#version = -1;
      for (const command of this.#unanswered.values()) this.#send(command);
    };
    socket.onmessage = ({ data }) => {
      if (!current()) return;
      this.#heard = performance.now();
      this.#receive(JSON.parse(String(data)) as AnyServerMessage);
    };
    socket.onclose = ({ code }) => {
      if (current()) this.#lost(code);
    };
    let pinged = performance.now();
    this.#beat = setInterval(() => {
      const now = performance.now();
      if (now - this.#heard >= SILENCE) this.#lost();
      else if (now - pinged >= PING_EVERY && this.#send({ type: "ping" })) pinged = now;
    }, LOOK_EVERY);
  }

  #lost(code = 0): void {
    this.#drop();
    if (code === NO_SUCH_TABLE) {
      this.#events.status("gone");
      this.#stopWaking();
      return;
    }
    this.#events.status("lost");
    this.#retry = setTimeout(() => {
      this.#connect();
    }, this.#wait(code));
  }

  /** How long until the next call; chance keeps a room that comes back from being called by everybody in one instant. */
  #wait(code: number): number {
    const chance = this.#world.random();
    if (code === RESTARTS) this.#restarting = 0;
    if (this.#restarting !== null)
      return 2 * FIRST_WAIT + chance * (this.#restarting++ ? SPREAD_WHILE_AWAY : SPREAD_AFTER_RESTART);
    const cap = this.#failures > TRIES_FOR_NETWORK ? LONGEST_WAIT_FOR_ROOM : LONGEST_WAIT;
    return Math.min(cap, FIRST_WAIT * 2 ** this.#failures++) * (0.5 + chance / 2);
  }

  #wake(): void {
    const silent = performance.now() - this.#heard;
    if (this.#socket?.readyState === WebSocket.CONNECTING && silent < PATIENCE) return;
    if (this.#socket?.readyState === WebSocket.OPEN && silent < SILENCE) this.#send({ type: "ping" });
    else this.reconnect();
  }

  #send(message: AnyClientMessage): boolean {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  #receive(message: AnyServerMessage): void {
    switch (message.type) {
      case "view":
        this.#failures = 0;
        this.#restarting = null;
        this.#events.status("open");
        if (message.version < this.#version) return;
        this.#version = message.version;
        this.#events.view(message.view, message.elsewhere);
        return;
      case "kept":
        if (this.#unanswered.delete(message.id)) this.#events.kept(message.id);
        return;
      case "refused":
        if (message.id !== null) this.#unanswered.delete(message.id);
        this.#events.refused(message);
        return;
      case "opened":
        this.#events.opened(message.proof);
        return;
      case "pong":
        // How long this takes is what the room measures.
        this.#send({ type: "echo", probe: message.probe });
    }
  }
}

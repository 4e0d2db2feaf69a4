// The service worker: the room's newest page always, what never changes from the cache, and a friendly word when the
// room is away. It is registered with the name of the client's build, so each build has its own cache.
import away from "./away.html?url";
import { toFront, type Windows } from "./front";
import { asset, awayPage, kindOf, page } from "./serve";

/** What of a worker's world is used here; the types of windows and of workers cannot live in one project. */
interface WorkerEvent extends Event {
  waitUntil: (what: Promise<unknown>) => void;
}
interface AskedEvent extends WorkerEvent {
  request: Request;
  respondWith: (answer: Promise<Response>) => void;
}
/** A notice of one's turn was touched; the page that showed it has written down where it leads. */
interface TouchedEvent extends WorkerEvent {
  notification: { close: () => void; data: { url: string } };
}
interface Worker {
  location: Location;
  skipWaiting: () => Promise<void>;
  clients: Windows & { claim: () => Promise<void> };
  addEventListener: ((type: "install" | "activate", heard: (event: WorkerEvent) => void) => void) &
    ((type: "notificationclick", heard: (event: TouchedEvent) => void) => void) &
    ((type: "fetch", heard: (event: AskedEvent) => void) => void);
}
const worker = self as unknown as Worker;

const PREFIX = "ananas-assets";
const CACHE = PREFIX + worker.location.search;

worker.addEventListener("install", (event) => {
  const settle = async (): Promise<void> => {
    // Once the room is away it is too late to ask for the page that says so.
    await (await caches.open(CACHE)).add(away);
    await worker.skipWaiting();
  };
  event.waitUntil(settle());
});

worker.addEventListener("activate", (event) => {
  const tidy = async (): Promise<void> => {
    const old = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== CACHE);
    await Promise.all(old.map((name) => caches.delete(name)));
    await worker.clients.claim();
  };
  event.waitUntil(tidy());
});

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const kind = kindOf(request, worker.location.origin);
  if (kind === "page") event.respondWith(page(fetch(request), () => caches.match(away).then(awayPage)));
  if (kind === "asset") event.respondWith(caches.open(CACHE).then((cache) => asset(request, cache, fetch)));
});

worker.addEventListener("notificationclick", (event) => {
  const { notification } = event;
  notification.close();
  event.waitUntil(toFront(notification.data.url, worker.clients));
});

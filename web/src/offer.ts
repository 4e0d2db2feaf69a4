// The browser's offer to install the room, kept from the moment it comes until a page shows it.

export const offer: { event: Event | null; heard: () => void } = { event: null, heard: () => undefined };

addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault();
  offer.event = event;
  offer.heard();
});

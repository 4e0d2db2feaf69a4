// A link within the room: the page changes without being loaded anew.
import { route } from "../route.svelte";

export function follow(event: MouseEvent): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  route.go((event.currentTarget as HTMLAnchorElement).pathname);
}

// The screen stays on while the table is looked at, where the browser allows it.

/** Keep the screen awake; returns how to stop that. */
export function stayAwake(): () => void {
  if (!("wakeLock" in navigator)) return () => undefined;
  let lock: WakeLockSentinel | null = null;
  let over = false;
  let asking = false;

  function ask(): void {
    if (asking || document.visibilityState !== "visible" || lock?.released === false) return;
    asking = true;
    navigator.wakeLock
      .request("screen")
      .then((got) => {
        lock = got;
        if (over) letGo();
      })
      // An empty battery, or a browser that does not want to: then the screen goes dark as ever.
      .catch(() => undefined)
      .finally(() => {
        asking = false;
      });
  }
  function letGo(): void {
    lock?.release().catch(() => undefined);
  }
  // A page that is hidden loses the lock; some browsers give it only after a touch.
  document.addEventListener("visibilitychange", ask);
  addEventListener("pointerup", ask);
  ask();
  return () => {
    over = true;
    document.removeEventListener("visibilitychange", ask);
    removeEventListener("pointerup", ask);
    letGo();
  };
}

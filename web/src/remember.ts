// What this browser remembers between visits; a browser that keeps nothing is no error.

export function remembered(key: string): string | null {
  try {
    return localStorage.getItem(`ananas.${key}`);
  } catch {
    return null;
  }
}

export function remember(key: string, value: string): void {
  try {
    // Writing is slow, and most of what is remembered is so already.
    if (remembered(key) !== value) localStorage.setItem(`ananas.${key}`, value);
  } catch {
    // Private windows may refuse; the choice then lasts as long as the page.
  }
}

export function forget(key: string): void {
  try {
    localStorage.removeItem(`ananas.${key}`);
  } catch {
    // What cannot be kept is not there either.
  }
}

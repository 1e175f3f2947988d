// What the browser remembers of the user's choices. Where storage is forbidden, nothing is remembered and all works.

export function recall<T>(name: string, otherwise: T): T {
  try {
    const text = localStorage.getItem(`gamete.${name}`);
    return text === null ? otherwise : (JSON.parse(text) as T);
  } catch {
    return otherwise;
  }
}

export function remember(name: string, value: unknown): void {
  try {
    localStorage.setItem(`gamete.${name}`, JSON.stringify(value));
  } catch {
    // Forgetting is all that can be done.
  }
}

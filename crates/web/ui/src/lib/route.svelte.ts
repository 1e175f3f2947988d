// Where the page is: the address, kept in step with the browser's history.

class Route {
  path = $state(location.pathname);
  query = $state.raw(new URLSearchParams(location.search));

  /** The pieces of the path, decoded. */
  get pieces(): string[] {
    return this.path.split('/').filter(Boolean).map(decode);
  }

  /** Goes to another page, as a link does. */
  go(address: string): void {
    history.pushState(null, '', address);
    this.read();
    window.scrollTo(0, 0);
  }

  /** Changes the query of this page without a new entry in the history; says what it is now. */
  replaceQuery(pairs: Record<string, string | undefined>): string {
    const query = new URLSearchParams();
    for (const [key, value] of Object.entries(pairs)) if (value) query.set(key, value);
    // Slashes and commas of positions are harmless in a query, and people read addresses.
    const text = query.toString().replaceAll('%2F', '/').replaceAll('%2C', ',');
    history.replaceState(null, '', text ? `${location.pathname}?${text}` : location.pathname);
    this.query = query;
    return query.toString();
  }

  read(): void {
    this.path = location.pathname;
    this.query = new URLSearchParams(location.search);
  }
}

function decode(piece: string): string {
  try {
    return decodeURIComponent(piece);
  } catch {
    return piece;
  }
}

export const route = new Route();

addEventListener('popstate', () => route.read());

/** Links of this page do not load it again. */
export function followLinks(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = (event.target as Element | null)?.closest?.('a');
  if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin) return;
  if (link.pathname.startsWith('/api/')) return;
  // A link to a place in the same page, such as the skip link, is the browser's.
  if (link.hash && link.pathname === location.pathname && link.search === location.search) return;
  event.preventDefault();
  route.go(link.pathname + link.search);
}

import { isLoopback } from '#contract/platform/hosts.ts';

/** The query parameter that marks a redirected URL. */
const MARKER = 'canonical-host=1';

/** Headers that proxies add. */
const proxyHeaders = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'] as const;

/** Paths that scripts fetch. Browsers do not follow their redirects to another origin. */
const fetchedByScripts = /\.data$|^\/__manifest$/;

type Headers = Readonly<Record<string, string | string[] | undefined>>;

interface PageRequest {
  /** Path and query, unparsed. */
  url: string;
  headers: Headers;
}

/** A normalized Host header: lower case, without the scheme's default port; null when invalid. */
function parseHost(value: string | string[] | undefined, origin: URL): URL | null {
  if (value === origin.host) return origin;
  if (typeof value !== 'string') return null;
  const last = value.slice(value.lastIndexOf(',') + 1).trim();
  return /^[\w.:[\]-]{1,255}$/.test(last) ? URL.parse(`${origin.protocol}//${last}`) : null;
}

/**
 * The host that the browser requested; null when unknown, because proxies may replace the `Host` header.
 * @param proxies how many proxies in front are trusted
 */
function requestedHost({ headers }: PageRequest, origin: URL, proxies: number): URL | null {
  if (proxies > 0) return parseHost(headers['x-forwarded-host'], origin);
  // This process does not serve TLS, so an untrusted proxy stands in front.
  if (origin.protocol === 'https:') return null;
  if (proxyHeaders.some((name) => headers[name] !== undefined)) return null;
  const host = parseHost(headers.host, origin);
  // A different port is an upstream connection's, or mapped in between.
  return host?.port === origin.port ? host : null;
}

/**
 * Returns the redirect for a page requested on another host than the public one, where sign-in with Google and storage per
 * origin would not work. Returns null if the page is to be served.
 *
 * A loop is impossible even where a proxy replaces `Host` unnoticed: the first redirect adds a marker, a marked address
 * is never redirected to another host, and its marker is removed only on the public host, where nothing is redirected.
 * @param origin the public origin
 * @param proxies how many proxies in front are trusted
 */
export function canonicalLocation(request: PageRequest, origin: URL, proxies: number): string | null {
  const requested = requestedHost(request, origin, proxies);
  if (requested === null) return null;
  const [path = '/', ...rest] = request.url.split('?');
  if (fetchedByScripts.test(path)) return null;
  const query = rest
    .join('?')
    .split('&')
    .filter((part) => part !== '');
  const marked = query.includes(MARKER);
  const isPublic = requested.host === origin.host;
  if (isPublic !== marked) return null;
  // A loopback name is useless to clients on other machines.
  if (!isPublic && isLoopback(origin.hostname) && !isLoopback(requested.hostname)) return null;
  const location = new URL(origin);
  // Always assigned as a path: `//host/` must not change the host.
  location.pathname = path.replace(/^\/+/, '/');
  location.search = (isPublic ? query.filter((part) => part !== MARKER) : [...query, MARKER]).join('&');
  return location.href;
}

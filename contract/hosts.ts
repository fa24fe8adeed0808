/** Whether a request names its host more than once, which RFC 9112 (3.2) has answered with 400. @param rawHeaders names and values in turn */
export function hasSecondHost(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    // The length first: this runs for every header of every request.
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
}

/** The name in a Host header, in lower case and without the port; null when the header is none. */
function nameIn(host: string): string | null {
  return /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/.exec(host.toLowerCase())?.[1] ?? null;
}

/** Whether a host name means the machine itself. @param name in lower case, as a URL or a Host header has it */
export const isLoopback = (name: string): boolean =>
  name === 'localhost' ||
  name.endsWith('.localhost') ||
  name === '[::1]' ||
  /^127(?:\.\d{1,3}){3}$/.test(name);

/** An address of a socket as a Host header writes it. */
function asName(address: string): string {
  const bare = address.toLowerCase().replace(/^::ffff:(?=\d+\.)/, '');
  return bare.includes(':') ? `[${bare}]` : bare;
}

/**
 * Whether a Host header names this server: by one of its names, by the address that the request came in at, or as this
 * machine. Whoever owns a domain can point it at an address of somebody's own network (DNS rebinding); a page of that
 * domain then reads what is served there, but the Host header gives it away.
 * @param names host names in lower case, without a port
 * @param localAddress the address of the socket on this side
 */
export function isOwnHost(
  host: string | undefined,
  names: readonly string[],
  localAddress: string | undefined,
): boolean {
  const name = nameIn(host ?? '');
  if (name === null) return false;
  const address = localAddress === undefined ? null : asName(localAddress);
  return isLoopback(name) || names.includes(name) || name === address;
}

/** The host name in an origin such as `https://shop.example:8443`, as {@link isOwnHost} takes it. */
export const hostOf = (origin: string): string => new URL(origin).hostname;

/**
 * Checks whether a request has more than one Host header. RFC 9112, section 3.2, requires the answer 400.
 * @param rawHeaders alternating names and values
 */
export function hasMultipleHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    // The length is checked first: this runs for every header of every request.
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
}

/** Parses the host name of a Host header: in lower case, without port. @returns null for an invalid header */
function parseHostname(host: string): string | null {
  return /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/.exec(host.toLowerCase())?.[1] ?? null;
}

/** Checks whether a host name refers to the local machine. @param name in lower case; IPv6 in brackets */
export const isLoopback = (name: string): boolean =>
  name === 'localhost' ||
  name.endsWith('.localhost') ||
  name === '[::1]' ||
  /^127(?:\.\d{1,3}){3}$/.test(name);

/** Formats the address of a socket as in a Host header. */
function formatAddress(address: string): string {
  const bare = address.toLowerCase().replace(/^::ffff:(?=\d+\.)/, '');
  return bare.includes(':') ? `[${bare}]` : bare;
}

/**
 * Checks whether a Host header names this server: one of its names, the local address of the connection, or loopback.
 * This prevents DNS rebinding: an attacker can point a domain at an address in a private network and have a page of
 * that domain read what is served there, but the Host header then contains the attacker's domain.
 * @param names host names in lower case, without port
 * @param localAddress the local address of the request's socket
 */
export function isOwnHost(
  host: string | undefined,
  names: readonly string[],
  localAddress: string | undefined,
): boolean {
  const name = parseHostname(host ?? '');
  if (name === null) return false;
  const address = localAddress === undefined ? null : formatAddress(localAddress);
  return isLoopback(name) || names.includes(name) || name === address;
}

/** Returns the host name of an origin such as `https://shop.example:8443`, for {@link isOwnHost}. */
export const hostnameOf = (origin: string): string => new URL(origin).hostname;

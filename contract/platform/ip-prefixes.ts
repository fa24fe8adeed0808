/** A range of IP addresses that may belong to one client, with its share of a rate limit. */
export interface IpPrefix {
  /** IPv6: the range in CIDR notation. IPv4: the address. */
  readonly prefix: string;
  /** The whole range is allowed this many times the count of a limit. */
  readonly quotaFactor: number;
}

/**
 * The prefix lengths that providers assign: /64 to a network, /56 to a household, /48 to a company or to any customer of
 * a tunnel broker. A larger range may hold more people and gets a larger quota, but not in proportion: one quota for
 * each /64 would give a /48 65,536 of them.
 */
const ipv6Prefixes = [
  { bits: 64, quotaFactor: 1 },
  { bits: 56, quotaFactor: 4 },
  { bits: 48, quotaFactor: 16 },
] as const;

/** Parses an IPv6 address into its eight 16-bit groups. @returns null for any other text */
function parseIpv6(address: string): number[] | null {
  const [bare = ''] = address.split('%', 1);
  if (!bare.includes(':') || !/^[0-9a-f:]+(?:(?:\.\d{1,3}){3})?$/i.test(bare)) return null;
  const [head = '', tail] = bare.split('::');
  const parseGroups = (part: string): number[] =>
    (part === '' ? [] : part.split(':')).flatMap((group) => {
      if (!group.includes('.')) return [Number.parseInt(group, 16)];
      const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
      return [a * 256 + b, c * 256 + d];
    });
  const before = parseGroups(head);
  const after = parseGroups(tail ?? '');
  const missing = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  return [...before, ...Array<number>(missing).fill(0), ...after];
}

/** Formats the first `bits` (at most 64) of an IPv6 address in CIDR notation. */
function formatPrefix(groups: readonly number[], bits: number): string {
  const kept = groups.slice(0, Math.ceil(bits / 16)).map((group, at) => {
    const keptBits = Math.min(16, bits - at * 16);
    return (group & (0xffff << (16 - keptBits)) & 0xffff).toString(16);
  });
  return `${kept.join(':')}::/${bits}`;
}

/**
 * Returns the ranges under which rate limits count requests from an IP address, longest prefix first.
 * @param address as a socket or proxy formats it; any text that is not an IPv6 address is a range of its own
 */
export function ipPrefixes(address: string): readonly [IpPrefix, ...IpPrefix[]] {
  const groups = parseIpv6(address);
  if (groups === null) return [{ prefix: address, quotaFactor: 1 }];
  const isMappedIpv4 = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMappedIpv4) {
    const bytes = groups.slice(6, 8).flatMap((group) => [group >> 8, group & 0xff]);
    return [{ prefix: bytes.join('.'), quotaFactor: 1 }];
  }
  const [first, ...shorter] = ipv6Prefixes;
  const toPrefix = ({ bits, quotaFactor }: (typeof ipv6Prefixes)[number]): IpPrefix => ({
    prefix: formatPrefix(groups, bits),
    quotaFactor,
  });
  return [toPrefix(first), ...shorter.map(toPrefix)];
}

/** The largest range that may belong to the client with an IP address: who takes turns with others. */
export const largestRange = (address: string): string => ipPrefixes(address).at(-1)?.prefix ?? address;

/**
 * How many times what one address may hold at a time a range may hold: of slots, bytes or the thread's time. More than one, because
 * a larger range may hold more people; the factors of counts would give the largest range more than there is.
 */
export const shareFactor = ({ quotaFactor }: IpPrefix): number => Math.sqrt(quotaFactor);

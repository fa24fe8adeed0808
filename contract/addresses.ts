/** A range of network addresses that one client may hold, and how much of a quota it gets. */
export interface IpPrefix {
  /** The range in CIDR notation for IPv6, the address itself for IPv4. */
  readonly prefix: string;
  /** A limit by address allows this many times its count to the whole range. */
  readonly quotaFactor: number;
}

/**
 * The sizes in which providers hand out IPv6: /64 to a network, /56 to a household, /48 to a company or to whoever
 * asks a tunnel broker. A larger range may hold more people, so it gets a larger quota, but not in proportion: with one
 * quota a /64, a /48 would have 65,536 of them.
 */
const ipv6Prefixes = [
  { bits: 64, quotaFactor: 1 },
  { bits: 56, quotaFactor: 4 },
  { bits: 48, quotaFactor: 16 },
] as const;

/** The eight 16-bit groups of an IPv6 address; null for any other text. */
function groupsOf(address: string): number[] | null {
  const [bare = ''] = address.split('%', 1);
  if (!bare.includes(':') || !/^[0-9a-f:]+(?:(?:\.\d{1,3}){3})?$/i.test(bare)) return null;
  const [head = '', tail] = bare.split('::');
  const numbersOf = (part: string): number[] =>
    (part === '' ? [] : part.split(':')).flatMap((group) => {
      if (!group.includes('.')) return [Number.parseInt(group, 16)];
      const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
      return [a * 256 + b, c * 256 + d];
    });
  const before = numbersOf(head);
  const after = numbersOf(tail ?? '');
  const missing = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  return [...before, ...Array<number>(missing).fill(0), ...after];
}

/** The first `bits` bits of an IPv6 address in CIDR notation; `bits` is at most 64. */
function ipv6Prefix(groups: readonly number[], bits: number): string {
  const kept = groups.slice(0, Math.ceil(bits / 16)).map((group, at) => {
    const keptBits = Math.min(16, bits - at * 16);
    return (group & (0xffff << (16 - keptBits)) & 0xffff).toString(16);
  });
  return `${kept.join(':')}::/${bits}`;
}

/**
 * The ranges by which requests from an address are counted, the smallest first. The shop and its identity provider,
 * which do not import each other, both limit by it.
 * @param address as a socket or a proxy writes it; a text that is no IPv6 address is one range of its own
 */
export function ipPrefixes(address: string): readonly [IpPrefix, ...IpPrefix[]] {
  const groups = groupsOf(address);
  if (groups === null) return [{ prefix: address, quotaFactor: 1 }];
  const isMappedIpv4 = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMappedIpv4) {
    const bytes = groups.slice(6, 8).flatMap((group) => [group >> 8, group & 0xff]);
    return [{ prefix: bytes.join('.'), quotaFactor: 1 }];
  }
  const [first, ...wider] = ipv6Prefixes;
  const rangeOf = ({ bits, quotaFactor }: (typeof ipv6Prefixes)[number]): IpPrefix => ({
    prefix: ipv6Prefix(groups, bits),
    quotaFactor,
  });
  return [rangeOf(first), ...wider.map(rangeOf)];
}

/**
 * An address of the network as far as it tells people apart: whoever has one of IPv6 has the 2⁶⁴ around it as well.
 * Here because the shop and its identity provider, which know nothing of each other, must both limit by it.
 * @param address as a socket or a proxy names it
 */
export function neighbourhood(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [bare = ''] = address.split('%', 1);
  if (!/^[0-9a-f]*:[0-9a-f:]*(?:\d+\.\d+\.\d+\.\d+)?$/i.test(bare)) return address;
  const [head = '', tail] = bare.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const missing = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  const groups = [...before, ...Array.from({ length: missing }, () => '0'), ...after];
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}

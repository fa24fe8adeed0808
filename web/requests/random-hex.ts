/** Returns 128 random bits in hexadecimal. Not `crypto.randomUUID`, which browsers lack on plain HTTP. */
export function randomHex(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}

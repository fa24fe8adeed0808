/** Splits an amount in whole cents into `ways` shares that are as equal as cents allow. */
export function split(cents: number, ways: number): number[] {
  const share = Math.floor(cents / ways);
  const left = cents - share * ways;
  return Array.from({ length: ways }, (_, index) => (index < left ? share + 1 : share));
}

/** The address of the results for typed words. */
export function searchPath(words: string): string {
  const q = words.trim();
  return q === '' ? '/laptops' : `/laptops?${new URLSearchParams({ q })}`;
}

/** Whether the window is narrower than a CSS length, such as `40rem`. False where there is no window. */
export function isNarrower(length: string): boolean {
  return typeof matchMedia === 'function' && matchMedia(`(width < ${length})`).matches;
}

/** Whether the screen is narrow: there a large card is higher than it. False where there is no screen. */
export function isPhone(): boolean {
  return typeof matchMedia === 'function' && matchMedia('(width < 40rem)').matches;
}

/** Why a camera or a microphone cannot be used, and what to do. @param error what `getUserMedia` threw */
export function mediaFailure(error: unknown, device: 'camera' | 'microphone'): string {
  const name = error instanceof Error ? error.name : '';
  switch (name) {
    case 'NotAllowedError':
    case 'SecurityError':
      return `The browser was not allowed to use the ${device}. Allow it in the site settings beside the address, then try again, or skip this test.`;
    case 'NotFoundError':
    case 'OverconstrainedError':
      return `The browser found no ${device}. If this laptop has one, it may be switched off by a key, a shutter or the firmware. Try again, or answer below.`;
    case 'NotReadableError':
    case 'AbortError':
      return `The ${device} could not be started. Another program may be using it: close it and try again.`;
    default:
      return `This browser cannot use the ${device} here. Try another browser, or skip this test.`;
  }
}

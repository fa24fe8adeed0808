import { describe, expect, test } from 'vitest';
import type { SmsOutcome, SmsSender } from '#server/people/phone-checks/sms-sender.ts';

/** How a provider of text messages behaves: it takes them, refuses, cannot be reached, or breaks off after it may have sent one. */
export type SmsProviderState = 'up' | 'refuses' | 'away' | 'breaks off';

const message = { id: '6f0a', to: '+351912345678', text: '123456 is your code' };

const outcomes: readonly [SmsProviderState, SmsOutcome['kind'], number][] = [
  ['up', 'sent', 1],
  ['refuses', 'not_sent', 1],
  ['away', 'not_sent', 0],
  ['breaks off', 'uncertain', 1],
];

/**
 * What every sender of text messages must do.
 * @param open a sender whose provider is in a state, and the number of requests that this provider has got
 */
export function testSmsSender(
  open: (state: SmsProviderState) => Promise<{ sender: SmsSender; requests: () => number }>,
): void {
  describe('as a sender of text messages', () => {
    test.each(outcomes)(
      'a provider that is %s means: %s, after one attempt',
      async (state, kind, attempts) => {
        const { sender, requests } = await open(state);
        const outcome = await sender.send(message);
        expect(outcome.kind).toBe(kind);
        expect(requests()).toBe(attempts);
        // Reasons are logged.
        expect(JSON.stringify(outcome)).not.toMatch(/912345678|123456/);
      },
    );
  });
}

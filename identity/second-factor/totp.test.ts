import { describe, expect, it } from 'vitest';
import { codeAt, findMatchingStep, setupUrl, timeStepAt } from './totp.ts';

describe('TOTP codes', () => {
  // RFC 6238, appendix B: the last six digits.
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_234_567_890, '005924'],
    [20_000_000_000, '353130'],
  ])('match the test vector of RFC 6238 at second %d', (seconds, code) => {
    const secret = Buffer.from('12345678901234567890');
    expect(codeAt(secret, timeStepAt(seconds * 1000))).toBe(code);
    expect(findMatchingStep(secret, code, seconds * 1000 + 30_000)).toBe(timeStepAt(seconds * 1000));
    expect(findMatchingStep(secret, code, seconds * 1000 + 90_000)).toBeNull();
  });

  it('are set up with an otpauth URL', () => {
    const url = new URL(setupUrl(Buffer.from('12345678901234567890'), 'ann@mail.example', 'Coomercio'));
    expect(url.href).toMatch(/^otpauth:\/\/totp\/Coomercio%3Aann%40mail\.example\?secret=GEZDGNBV/);
    expect(url.searchParams.get('issuer')).toBe('Coomercio');
  });
});

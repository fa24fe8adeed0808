import { expect, test } from 'vitest';
import { describeSellerChecks } from './seller-checks.ts';

const nothing = { verifiedAt: null, address: null, identity: null, phone: null };
const at = (day: string) => `2026-11-${day}T23:30:00.000Z`;

test.each([
  [nothing, ''],
  [{ ...nothing, verifiedAt: at('24') }, 'Verified by the shop on Nov 24, 2026.'],
  [
    { ...nothing, verifiedAt: at('24'), address: at('22') },
    'The shop has seen a proof of address (Nov 22, 2026).',
  ],
  [
    { ...nothing, verifiedAt: at('24'), address: at('22'), identity: at('23') },
    'The shop has seen a proof of address (Nov 22, 2026) and an identity document (Nov 23, 2026).',
  ],
  [
    { ...nothing, verifiedAt: at('24'), phone: at('25') },
    'Verified by the shop on Nov 24, 2026. Phone number confirmed on Nov 25, 2026.',
  ],
  [
    { ...nothing, verifiedAt: at('24'), address: at('22'), phone: at('25') },
    'The shop has seen a proof of address (Nov 22, 2026). Phone number confirmed on Nov 25, 2026.',
  ],
])('%j is described by the days in UTC', (checks, sentence) => {
  expect(describeSellerChecks(checks)).toBe(sentence);
});

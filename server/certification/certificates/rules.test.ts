import { expect, test } from 'vitest';
import type { Claim } from '#contract/certification/certificates.ts';
import { decideRenewal, findChanges, type LatestVersion } from './rules.ts';

const latest = (overrides: Partial<LatestVersion> = {}): LatestVersion => ({
  content_sha256: 'a',
  revoked_at: null,
  is_key_revoked: false,
  ...overrides,
});

test.each([
  ['the first one', null, undefined, 'issue'],
  ['unchanged', null, latest(), 'keep'],
  ['changed', null, latest({ content_sha256: 'b' }), 'issue'],
  ['unchanged, but its key was revoked', null, latest({ is_key_revoked: true }), 'issue'],
  ['unchanged, but it was revoked', null, latest({ revoked_at: new Date() }), 'issue'],
  ['contradicted', 'contradicted', latest(), 'revoke'],
  ['contradicted again', 'contradicted', latest({ revoked_at: new Date() }), 'keep'],
  ['contradicted from the beginning', 'contradicted', undefined, 'keep'],
] as const)('%s', (_name, refusal, version, renewal) => {
  expect(decideRenewal(refusal, 'a', version)).toBe(renewal);
});

const claim = (name: string, value: string | null): Claim => ({
  section: 'machine',
  name,
  state: value === null ? 'unknown' : 'measured',
  value,
  source: null,
});

test('differences name what was changed, added and removed', () => {
  const before = [claim('Memory', '16 GB'), claim('Storage', '512 GB'), claim('Model', 'T14')];
  const after = [claim('Memory', null), claim('Graphics', 'UHD'), claim('Model', 'T14')];
  expect(findChanges(before, after)).toEqual([
    { section: 'machine', name: 'Memory', before: '16 GB', after: 'Unknown' },
    { section: 'machine', name: 'Graphics', before: null, after: 'UHD' },
    { section: 'machine', name: 'Storage', before: '512 GB', after: null },
  ]);
});

import { expect, test } from 'vitest';
import { SearchFilters } from '#contract/listings/search.ts';
import { alertText, alertUnsubscribe } from './notification-texts.ts';

test('a search whose name has quotes is named in single ones', () => {
  const owner = { name: 'Ada', email: 'ada@people.example', emailVerified: true };
  const name = '“EliteBook”, Lisbon, up to $600';
  const { title } = alertText({ name, filters: SearchFilters.parse({}) }, [], owner);
  expect(title).toContain(' for “‘EliteBook’, Lisbon, up to $600”');
  const { reason } = alertUnsubscribe({ name, frequency: 'daily' }, owner, '/unsubscribe/1');
  expect(reason).toContain('the search “‘EliteBook’, Lisbon, up to $600” and');
});

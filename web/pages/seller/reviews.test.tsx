import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import { notCountedSentence } from '../../reviews/not-counted.ts';
import { Reviews } from './reviews.tsx';
import { sellerFacts, toShownReview } from './shown-seller.ts';

const review = (counts: boolean) =>
  toShownReview({
    _id: '00000000-0000-4000-8000-000000000001',
    by: 'Bruno B.',
    stars: 5,
    counts,
    text: 'As described.',
    at: '2026-11-26T12:00:00.000Z',
    productName: 'Latitude 7420',
    answer: null,
  });

test.each([
  [true, 0],
  [false, 1],
])('a review that counts (%s) has %i notes that it does not', (counts, notes) => {
  const html = renderToStaticMarkup(
    <MemoryRouter>
      <Reviews reviews={[review(counts)]} next={null} />
    </MemoryRouter>,
  );
  expect(html).toContain('As described.');
  expect(html.split(notCountedSentence)).toHaveLength(notes + 1);
});

test('a seller of whose reviews none counts has no rating', () => {
  const seller = { _id: '', name: 'Sofia', since: '2026-11', verified: false, checks: null, sold: 0 };
  expect(sellerFacts(seller, 'Coomercio')).toContain('No rating yet');
});

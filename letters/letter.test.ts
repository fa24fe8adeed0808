import { expect, test } from 'vitest';
import { mailOf } from './letter.ts';

const letter = {
  to: 'bruno@coomercio.example',
  subject: 'Latitude 7420 is sold',
  greeting: 'Hello Bruno,',
  paragraphs: ['It is off the shelf.'],
  action: { label: 'See your buyers', url: 'http://shop.example/dashboard/myBuyers' },
};

test('names and notes stay words, wherever they stand in a letter', () => {
  const hostile = '</td><img src=x onerror="alert(\'1\')">&amp;';
  const { html } = mailOf({
    ...letter,
    subject: hostile,
    greeting: hostile,
    paragraphs: [hostile],
    facts: [[hostile, hostile]],
    action: { label: hostile, url: `http://shop.example/?${hostile}` },
  });
  expect(html).not.toContain('<img');
  expect(
    html.split('&lt;/td&gt;&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;amp;'),
  ).toHaveLength(9);
});

test('a line break in a name makes neither a header nor a line of its own', () => {
  const { subject, text } = mailOf({
    ...letter,
    subject: 'Sold\r\nBcc: everybody@shop.example',
    facts: [['Buyer', 'Bruno\nTransaction: pi_made_up']],
  });
  expect(subject).toBe('Sold Bcc: everybody@shop.example');
  expect(text).toContain('Buyer: Bruno Transaction: pi_made_up');
});

test('text and HTML say the same', () => {
  const { html, text } = mailOf({ ...letter, facts: [['Price', '$620']] });
  for (const words of [
    letter.greeting,
    ...letter.paragraphs,
    'Price',
    '$620',
    'See your buyers',
    letter.action.url,
  ]) {
    expect(text).toContain(words);
    expect(html).toContain(words);
  }
});

test('a letter without facts has no table for them and no gap', () => {
  const { html, text } = mailOf(letter);
  expect(html).not.toContain('class="facts"');
  expect(text).not.toContain('\n\n\n');
});

import { expect, test } from 'vitest';
import { mailOf } from './letter.ts';
import { quote } from './quote.ts';

const letter = {
  to: { name: 'Bruno', email: 'bruno@coomercio.example', emailVerified: true },
  subject: 'Latitude 7420 is sold',
  paragraphs: ['It is off the shelf.'],
  action: { label: 'See your buyers', url: 'http://shop.example/dashboard/myBuyers' },
};

test('names and notes stay words, wherever they stand in a letter', () => {
  const hostile = '</td><img src=x onerror="alert(\'1\')">&amp;';
  const { html } = mailOf({
    ...letter,
    subject: hostile,
    to: { ...letter.to, name: hostile },
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

const advertisement = 'You won, visit https://www.evil.example/\u202Etxt.exe\nToday';

test('a name is greeted once its address is proven, and then leads nowhere', () => {
  const unproven = mailOf({ ...letter, to: { ...letter.to, name: advertisement, emailVerified: false } });
  expect(unproven.text.split('\n')[0]).toBe('Hello,');
  const proven = mailOf({ ...letter, to: { ...letter.to, name: advertisement } });
  expect(proven.text.split('\n')[0]).toBe(
    'Hello You won, visit https[://]www[.]evil[.]example/ txt[.]exe Today,',
  );
  expect(unproven.html + proven.html).not.toMatch(/evil\.example|\u202E/);
});

test('words of an unproven author are left out of a letter', () => {
  expect(quote({ emailVerified: false }, advertisement, 'A buyer')).toBe('A buyer');
  expect(quote({ emailVerified: true }, 'ThinkPad X1, 14.0 in., 5.30 p.m.', '')).toBe(
    'ThinkPad X1, 14.0 in., 5.30 p.m.',
  );
});

test('text and HTML say the same', () => {
  const { html, text } = mailOf({ ...letter, facts: [['Price', '$620']] });
  for (const words of [
    'Hello Bruno,',
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

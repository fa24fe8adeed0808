import { expect, test } from 'vitest';
import { theme } from '#contract/platform/theme.ts';
import { renderEmail } from './email.ts';
import { nameIfVerified } from './user-text.ts';

const shop = { name: 'Second <Life>', footer: ['Second <Life>: laptops', 'Life & Co.'], theme };

const email = {
  to: { name: 'Bruno', email: 'bruno@coomercio.example', emailVerified: true },
  subject: 'Latitude 7420 is sold',
  paragraphs: ['It is off the shelf.'],
  action: { label: 'See your buyers', url: 'http://shop.example/dashboard/myBuyers' },
};

test('escapes HTML in every value', () => {
  const hostile = '</td><img src=x onerror="alert(\'1\')">&amp;';
  const { html } = renderEmail(
    {
      ...email,
      subject: hostile,
      paragraphs: [hostile],
      facts: [[hostile, hostile]],
      action: { label: hostile, url: `http://shop.example/?${hostile}` },
    },
    shop,
  );
  expect(html).not.toContain('<img');
  expect(
    html.split('&lt;/td&gt;&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;amp;'),
  ).toHaveLength(8);
});

test('replaces line breaks in values, so they add neither a header nor a line', () => {
  const { subject, text } = renderEmail(
    {
      ...email,
      subject: 'Sold\r\nBcc: everybody@shop.example',
      facts: [['Buyer', 'Bruno\nTransaction: pi_made_up']],
    },
    shop,
  );
  expect(subject).toBe('Sold Bcc: everybody@shop.example');
  expect(text).toContain('Buyer: Bruno Transaction: pi_made_up');
});

const advertisement = 'You won, visit https://www.evil.example/\u202Etxt.exe\nToday';

test('greets without a name, which may be the sentence of somebody who registered the address of another person', () => {
  const to = { ...email.to, name: advertisement };
  const { text, html } = renderEmail({ ...email, to }, shop);
  expect(text.split('\n')[0]).toBe('Hello,');
  expect(html + text).not.toMatch(/You won|evil/);
});

test('replaces links, line breaks and bidirectional controls in the name of a verified user', () => {
  expect(nameIfVerified({ emailVerified: true }, advertisement, '')).toBe(
    'You won, visit https[://]www[.]evil[.]example/ txt[.]exe Today',
  );
});

test('uses the fallback for a name by an unverified user', () => {
  expect(nameIfVerified({ emailVerified: false }, advertisement, 'A buyer')).toBe('A buyer');
  expect(nameIfVerified({ emailVerified: true }, 'ThinkPad X1, 14.0 in., 5.30 p.m.', '')).toBe(
    'ThinkPad X1, 14.0 in., 5.30 p.m.',
  );
});

test('renders the same content as text and as HTML', () => {
  const { html, text } = renderEmail({ ...email, facts: [['Price', '$620']] }, shop);
  for (const words of ['Hello,', ...email.paragraphs, 'Price', '$620', 'See your buyers', email.action.url]) {
    expect(text).toContain(words);
    expect(html).toContain(words);
  }
});

test('renders neither a table nor a gap without facts', () => {
  const { html, text } = renderEmail(email, shop);
  expect(html).not.toContain('class="facts"');
  expect(text).not.toContain('\n\n\n');
});

import type { Mail } from '../vendors/mail.ts';

/** What a mail says, before it is dressed as text and as HTML. Every value is plain text and may hold anything. */
export interface Letter {
  to: string;
  subject: string;
  greeting: string;
  paragraphs: readonly string[];
  /** Name and value, one line each. */
  facts: readonly (readonly [name: string, value: string])[];
  /** Where the reader goes from here: a page of the shop. */
  action: { label: string; url: string };
}

/** Makes text safe inside HTML, attributes included. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** One line without line breaks, so that a name cannot add headers or lines. */
const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();

/** A letter as the mail that is sent, in text and in HTML that says the same. */
export function mailOf(letter: Letter): Mail {
  const facts = letter.facts.map(([name, value]) => [name, oneLine(value)] as const);
  const text = [
    letter.greeting,
    ...letter.paragraphs,
    facts.map(([name, value]) => `${name}: ${value}`).join('\n'),
    `${letter.action.label}: ${letter.action.url}`,
    'Coomercio, certified pre-owned laptops since 2018',
  ].join('\n\n');
  const rows = facts
    .map(
      ([name, value]) =>
        `<tr><th align="left" style="padding:6px 24px 6px 0;font-weight:normal;color:#5c534a">${escapeHtml(name)}</th><td style="padding:6px 0;color:#211c17">${escapeHtml(value)}</td></tr>`,
    )
    .join('');
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(oneLine(letter.subject))}</title></head>
<body style="margin:0;background:#f6f1e9;font-family:system-ui,-apple-system,'Segoe UI',sans-serif;font-size:16px;line-height:1.5;color:#211c17">
<div style="max-width:560px;margin:0 auto;padding:32px 24px">
<p style="margin:0 0 24px;font-weight:700;font-size:20px">Coomercio</p>
<p>${escapeHtml(letter.greeting)}</p>
${letter.paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`).join('\n')}
<table role="presentation" cellspacing="0" style="margin:16px 0;border-top:1px solid #ddd3c4;border-bottom:1px solid #ddd3c4;width:100%">${rows}</table>
<p style="margin:24px 0"><a href="${escapeHtml(letter.action.url)}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#f28c18;color:#211c17;font-weight:600;text-decoration:none">${escapeHtml(letter.action.label)}</a></p>
<p style="color:#5c534a;font-size:14px">Coomercio, certified pre-owned laptops since 2018</p>
</div></body></html>`;
  return { to: letter.to, subject: oneLine(letter.subject), text, html };
}

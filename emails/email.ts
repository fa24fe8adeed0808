import type { Theme } from '#contract/platform/theme.ts';
import { toSingleLine } from './user-text.ts';

/**
 * The content of an email. Every value is plain text. Of what users typed it has names only, which must come through
 * `nameIfVerified`.
 */
export interface Email {
  /** Greeted without a name: somebody else may have registered the address, and chosen a sentence as the name. */
  to: { email: string };
  subject: string;
  paragraphs: readonly string[];
  /** Rows of a two-column table. */
  facts?: readonly (readonly [name: string, value: string])[];
  /** A list of links with a line about each; `url` is a page of the shop. */
  items?: readonly { title: string; url: string; details: string }[];
  /** A sentence after the list. */
  afterItems?: string;
  /** The button; `url` is a page of the shop. */
  action: { label: string; url: string };
  /** For emails of a subscription: why it was sent, and the link that ends the subscription. */
  unsubscribe?: { reason: string; label: string; url: string };
}

/** How the shop that sends an email presents itself. */
export interface EmailShop {
  name: string;
  /** What the shop is, and who, in a line each. */
  footer: readonly string[];
  theme: Theme;
}

/** An email that is ready for the mail server. */
export interface RenderedEmail {
  /** The name of the sender. */
  fromName: string;
  to: string;
  subject: string;
  text: string;
  html: string;
}

const GREETING = 'Hello,';

/** Escapes text for HTML content and quoted attributes. */
function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** For mail programs with a dark theme. Others use the light colours of the inline styles. */
const darkModeStyles = ({
  background,
  surface,
  foreground,
  muted,
  border,
  link,
}: Theme) => `@media (prefers-color-scheme:dark){
.page{background:${background.dark}!important}
.sheet{background:${surface.dark}!important;border-color:${border.dark}!important}
.text{color:${foreground.dark}!important}
.muted{color:${muted.dark}!important}
.facts td,.facts th{border-color:${border.dark}!important}
.link{color:${link.dark}!important}
}`;

// Tables and inline styles: mail programs drop modern layout and style sheets.
const renderTable = (rows: readonly string[], margin: string): string =>
  rows.length === 0
    ? ''
    : `<table class="facts" width="100%" cellspacing="0" cellpadding="0" style="margin:${margin};border-collapse:collapse;font-size:15px;font-variant-numeric:tabular-nums">${rows.join('')}</table>`;

function renderItems({ items = [], afterItems }: Email, { border, foreground, link }: Theme): string {
  const rows = items.map(
    ({ title, url, details }) => `<tr>
<td valign="top" style="padding:12px 0;border-bottom:1px solid ${border.light};word-break:break-word;overflow-wrap:anywhere"><a class="link" href="${escapeHtml(url)}" style="color:${link.light};font-weight:600">${escapeHtml(title)}</a><br><span class="text" style="color:${foreground.light}">${escapeHtml(details)}</span></td>
</tr>`,
  );
  const after =
    afterItems === undefined || items.length === 0
      ? ''
      : `<p class="text" style="margin:12px 0 0;color:${foreground.light}">${escapeHtml(afterItems)}</p>`;
  return `${renderTable(rows, '16px 0 0')}${after}`;
}

function renderUnsubscribe({ unsubscribe }: Email, { muted }: Theme): string {
  if (unsubscribe === undefined) return '';
  const { reason, label, url } = unsubscribe;
  return `<tr><td class="muted" style="padding:8px 20px 0;font-size:13px;color:${muted.light}">${escapeHtml(reason)} <a class="muted" href="${escapeHtml(url)}" style="color:${muted.light}">${escapeHtml(label)}</a></td></tr>`;
}

function renderHtml(email: Email, { name: shopName, footer, theme }: EmailShop): string {
  const { background, surface, foreground, muted, border, primary } = theme;
  const { subject, paragraphs, facts = [], action } = email;
  const rows = facts.map(
    ([name, value]) => `<tr>
<th class="muted" scope="row" align="left" valign="top" style="padding:10px 16px 10px 0;border-bottom:1px solid ${border.light};font-weight:normal;white-space:nowrap;color:${muted.light}">${escapeHtml(name)}</th>
<td class="text" valign="top" style="padding:10px 0;border-bottom:1px solid ${border.light};word-break:break-word;overflow-wrap:anywhere;color:${foreground.light}">${escapeHtml(value)}</td>
</tr>`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title><style>${darkModeStyles(theme)}</style></head>
<body class="page" style="margin:0;padding:0;background:${background.light}">
<table class="page" role="presentation" width="100%" cellspacing="0" cellpadding="0" style="background:${background.light};font-family:system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif;font-size:16px;line-height:1.5"><tr><td align="center" style="padding:32px 12px">
<table role="presentation" width="100%" cellspacing="0" cellpadding="0" style="max-width:560px">
<tr><td class="text" style="padding:0 20px 16px;font-weight:800;font-size:20px;letter-spacing:-0.02em;color:${foreground.light}">${escapeHtml(shopName)}</td></tr>
<tr><td class="sheet" style="padding:28px 20px 32px;background:${surface.light};border:1px solid ${border.light};border-radius:12px">
<h1 class="text" style="margin:0 0 20px;font-size:22px;line-height:1.25;letter-spacing:-0.01em;color:${foreground.light}">${escapeHtml(subject)}</h1>
<p class="text" style="margin:0 0 12px;color:${foreground.light}">${GREETING}</p>
${paragraphs.map((paragraph) => `<p class="text" style="margin:0 0 12px;color:${foreground.light}">${escapeHtml(paragraph)}</p>`).join('\n')}
${renderTable(rows, '24px 0 0')}${renderItems(email, theme)}
<table role="presentation" cellspacing="0" cellpadding="0" style="margin:28px 0 0"><tr><td bgcolor="${primary.light}" style="border-radius:8px;background:${primary.light}"><a href="${escapeHtml(action.url)}" style="display:inline-block;padding:12px 22px;border-radius:8px;color:${theme['on-primary'].light};font-weight:600;text-decoration:none">${escapeHtml(action.label)}</a></td></tr></table>
</td></tr>
<tr><td class="muted" style="padding:16px 20px 0;font-size:13px;color:${muted.light}">${footer.map(escapeHtml).join('<br>')}</td></tr>
${renderUnsubscribe(email, theme)}
</table></td></tr></table>
</body></html>`;
}

/** Renders an email as plain text and as HTML with the same content. Line breaks inside values become spaces. */
export function renderEmail(email: Email, shop: EmailShop): RenderedEmail {
  const plain: Email = {
    ...email,
    subject: toSingleLine(email.subject),
    paragraphs: email.paragraphs.map(toSingleLine),
    facts: email.facts?.map(([name, value]) => [name, toSingleLine(value)]) ?? [],
    items: (email.items ?? []).map((item) => ({
      ...item,
      title: toSingleLine(item.title),
      details: toSingleLine(item.details),
    })),
    ...(email.unsubscribe && {
      unsubscribe: { ...email.unsubscribe, reason: toSingleLine(email.unsubscribe.reason) },
    }),
  };
  const facts = (plain.facts ?? []).map(([name, value]) => `${name}: ${value}`).join('\n');
  const items = (plain.items ?? []).map(({ title, url, details }) => `${title}\n${details}\n${url}`);
  const { unsubscribe, action, afterItems = '' } = plain;
  const parts = [
    ...[GREETING, ...plain.paragraphs, facts, ...items, afterItems, `${action.label}: ${action.url}`],
    ...(unsubscribe === undefined ? [] : [unsubscribe.reason, `${unsubscribe.label}: ${unsubscribe.url}`]),
  ];
  return {
    fromName: shop.name,
    to: plain.to.email,
    subject: plain.subject,
    text: [...parts.filter((part) => part !== ''), shop.footer.join('\n')].join('\n\n'),
    html: renderHtml(plain, shop),
  };
}

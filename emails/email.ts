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

/** An email that is ready for the mail server. */
export interface RenderedEmail {
  to: string;
  subject: string;
  text: string;
  html: string;
}

const GREETING = 'Hello,';

const footer = 'Coomercio, certified pre-owned laptops since 2018';

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
const darkModeStyles = `@media (prefers-color-scheme:dark){
.paper{background:#171310!important}
.sheet{background:#211c17!important;border-color:#3d352d!important}
.ink{color:#f3ece2!important}
.quiet{color:#b8aa9a!important}
.facts td,.facts th{border-color:#3d352d!important}
.link{color:#d9a7cf!important}
}`;

// Tables and inline styles: mail programs drop modern layout and style sheets.
function renderItems({ items = [], afterItems }: Email): string {
  if (items.length === 0) return '';
  const rows = items.map(
    ({ title, url, details }) => `<tr>
<td valign="top" style="padding:12px 0;border-bottom:1px solid #e6dccd;word-break:break-word;overflow-wrap:anywhere"><a class="link" href="${escapeHtml(url)}" style="color:#5b2a57;font-weight:600">${escapeHtml(title)}</a><br><span class="ink" style="color:#211c17">${escapeHtml(details)}</span></td>
</tr>`,
  );
  const after =
    afterItems === undefined
      ? ''
      : `<p class="ink" style="margin:12px 0 0;color:#211c17">${escapeHtml(afterItems)}</p>`;
  return `<table class="facts" width="100%" cellspacing="0" cellpadding="0" style="margin:16px 0 0;border-collapse:collapse;font-size:15px;font-variant-numeric:tabular-nums">${rows.join('')}</table>${after}`;
}

function renderUnsubscribe({ unsubscribe }: Email): string {
  if (unsubscribe === undefined) return '';
  const { reason, label, url } = unsubscribe;
  return `<tr><td class="quiet" style="padding:8px 20px 0;font-size:13px;color:#5c534a">${escapeHtml(reason)} <a class="quiet" href="${escapeHtml(url)}" style="color:#5c534a">${escapeHtml(label)}</a></td></tr>`;
}

function renderHtml(email: Email): string {
  const { subject, paragraphs, facts = [], action } = email;
  const rows = facts.map(
    ([name, value]) => `<tr>
<th class="quiet" scope="row" align="left" valign="top" style="padding:10px 16px 10px 0;border-bottom:1px solid #e6dccd;font-weight:normal;white-space:nowrap;color:#5c534a">${escapeHtml(name)}</th>
<td class="ink" valign="top" style="padding:10px 0;border-bottom:1px solid #e6dccd;word-break:break-word;overflow-wrap:anywhere;color:#211c17">${escapeHtml(value)}</td>
</tr>`,
  );
  const table =
    rows.length === 0
      ? ''
      : `<table class="facts" width="100%" cellspacing="0" cellpadding="0" style="margin:24px 0 0;border-collapse:collapse;font-size:15px;font-variant-numeric:tabular-nums">${rows.join('')}</table>`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title><style>${darkModeStyles}</style></head>
<body class="paper" style="margin:0;padding:0;background:#f6f1e9">
<table class="paper" role="presentation" width="100%" cellspacing="0" cellpadding="0" style="background:#f6f1e9;font-family:system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif;font-size:16px;line-height:1.5"><tr><td align="center" style="padding:32px 12px">
<table role="presentation" width="100%" cellspacing="0" cellpadding="0" style="max-width:560px">
<tr><td class="ink" style="padding:0 20px 16px;font-weight:800;font-size:20px;letter-spacing:-0.02em;color:#211c17">Coomercio</td></tr>
<tr><td class="sheet" style="padding:28px 20px 32px;background:#fffdf9;border:1px solid #e6dccd;border-radius:12px">
<h1 class="ink" style="margin:0 0 20px;font-size:22px;line-height:1.25;letter-spacing:-0.01em;color:#211c17">${escapeHtml(subject)}</h1>
<p class="ink" style="margin:0 0 12px;color:#211c17">${GREETING}</p>
${paragraphs.map((paragraph) => `<p class="ink" style="margin:0 0 12px;color:#211c17">${escapeHtml(paragraph)}</p>`).join('\n')}
${table}${renderItems(email)}
<table role="presentation" cellspacing="0" cellpadding="0" style="margin:28px 0 0"><tr><td bgcolor="#f28c18" style="border-radius:8px;background:#f28c18"><a href="${escapeHtml(action.url)}" style="display:inline-block;padding:12px 22px;border-radius:8px;color:#211c17;font-weight:600;text-decoration:none">${escapeHtml(action.label)}</a></td></tr></table>
</td></tr>
<tr><td class="quiet" style="padding:16px 20px 0;font-size:13px;color:#5c534a">${footer}</td></tr>
${renderUnsubscribe(email)}
</table></td></tr></table>
</body></html>`;
}

/** Renders an email as plain text and as HTML with the same content. Line breaks inside values become spaces. */
export function renderEmail(email: Email): RenderedEmail {
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
    to: plain.to.email,
    subject: plain.subject,
    text: [...parts.filter((part) => part !== ''), footer].join('\n\n'),
    html: renderHtml(plain),
  };
}

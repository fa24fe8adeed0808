import { readFile } from 'node:fs/promises';

/** Text that is already escaped HTML. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type HtmlValue = string | number | Html | readonly Html[];

function escapeValue(value: HtmlValue): string {
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(({ text }) => text).join('');
  return String(value)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** A template tag that escapes all inserted values except {@link Html}. */
export function html(strings: TemplateStringsArray, ...values: HtmlValue[]): Html {
  return new Html(String.raw({ raw: strings }, ...values.map(escapeValue)));
}

export const emptyHtml = new Html('');

/** Returns the Content-Security-Policy of a page with a style sheet and these further directives. */
export function pagePolicy(...directives: string[]): string {
  const common = ["default-src 'none'", "style-src 'self'"];
  return [...common, ...directives, "base-uri 'none'", "frame-ancestors 'none'"].join('; ');
}

/** The style of a stand-in that shows a list to choose from. */
export const choicesStyle = new URL('./choices.css', import.meta.url);

/** Reads the style sheet of a stand-in: what all have in common, then its own files in this order. */
export async function readStyle(...own: URL[]): Promise<string> {
  const files = [new URL('./stand-in.css', import.meta.url), ...own];
  return (await Promise.all(files.map((file) => readFile(file, 'utf8')))).join('');
}

/** Renders a whole page of a stand-in. @param styleSheet the URL of its style sheet */
export function renderPage(title: string, styleSheet: string, content: Html): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="${styleSheet}">
</head>
<body>
<main>
${content}
</main>
</body>
</html>
`.text;
}

/** Text that is HTML already. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | Html | readonly Html[];

function escaped(part: Part): string {
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(({ text }) => text).join('');
  return String(part)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** A template whose inserted values are escaped unless they are HTML themselves. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(String.raw({ raw: strings }, ...parts.map(escaped)));
}

export const nothing = new Html('');

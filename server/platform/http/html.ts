/** Escaped HTML. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Creates HTML from a template. Values are escaped unless they are {@link Html}. */
export function html(parts: TemplateStringsArray, ...values: (string | Html | Html[])[]): Html {
  const escaped = values.map((value) => {
    if (value instanceof Html) return value.text;
    if (Array.isArray(value)) return value.map(({ text }) => text).join('');
    return value
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;');
  });
  return new Html(String.raw({ raw: parts }, ...escaped));
}

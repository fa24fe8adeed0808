import { LRUCache } from 'lru-cache';
import MarkdownIt from 'markdown-it';
import { type Placeholder, placeholders } from '#contract/operations/content.ts';

/** What the placeholders of a text stand for. */
export type PlaceholderValues = Readonly<Record<Placeholder, string>>;

const placeholder = new RegExp(`\\{\\{ ?(${Object.keys(placeholders).join('|')}) ?\\}\\}`, 'g');

const isPlaceholder = (name: string): name is Placeholder => Object.hasOwn(placeholders, name);

/** Replaces the placeholders of a plain text. Others between double braces stay. */
export const replacePlaceholders = (text: string, values: PlaceholderValues): string =>
  text.replace(placeholder, (match, name: string) => (isPlaceholder(name) ? values[name] : match));

/** Paths of the shop, fragments, and addresses with a protocol that runs nothing. `//host` is another origin. */
const safeLink = /^(?:https?:\/\/|mailto:|tel:|\/(?!\/)|#)/i;

/** The languages in whose listings comments, strings and keywords have colours. */
const coloured = /^(?:jsx?|tsx?|vue)$/;

// Comments and templates end at the end of the text, too, and no string begins after a backslash: no part is read again and again.
const kinds = new RegExp(
  [
    /(?<comment>\/\/.*|\/\*[\s\S]*?(?:\*\/|$)|<!--[\s\S]*?(?:-->|$))/,
    /(?<string>(?<!\\)(?:'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*")|`(?:\\[\s\S]|[^`\\])*(?:`|$))/,
    /(?<![\w$.-])(?<keyword>async|await|class|const|default|delete|else|export|extends|false|for|from|function|if|import|in|let|new|null|of|readonly|return|super|this|true|type|typeof|undefined)(?![\w$:-])/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
);

/** @returns the HTML of a listing */
function toListing(code: string, language: string, escapeHtml: (text: string) => string): string {
  if (!coloured.test(language)) return escapeHtml(code);
  let end = 0;
  const parts = Array.from(code.matchAll(kinds), ({ 0: text, index, groups = {} }) => {
    const before = escapeHtml(code.slice(end, index));
    end = index + text.length;
    const kind = Object.keys(groups).find((name) => groups[name] !== undefined);
    return `${before}<span class="${kind}">${escapeHtml(text)}</span>`;
  });
  return parts.join('') + escapeHtml(code.slice(end));
}

/**
 * Creates a function that renders Markdown (CommonMark with tables) to HTML that is safe to show. The longest text takes up to a second
 * if it is made to; usual ones take some milliseconds.
 */
export function createMarkdownRenderer(values: () => PlaceholderValues): (text: string) => string {
  // Raw HTML is shown as text. Block structures deeper than a hundred levels are text as well.
  const markdown = new MarkdownIt({ html: false });
  markdown.validateLink = (url) => safeLink.test(url.trim());
  const { escapeHtml } = markdown.utils;

  // The page's title is its h1, so the highest headings of the text become h2, whichever they are.
  markdown.core.ruler.push('lower_headings', ({ tokens }) => {
    const headings = tokens.filter(({ type }) => type === 'heading_open' || type === 'heading_close');
    const levels = headings.map(({ tag }) => Number(tag.slice(1)));
    const lowered = 2 - Math.min(...levels);
    for (const [at, heading] of headings.entries()) {
      heading.tag = `h${Math.min((levels[at] ?? 0) + lowered, 6)}`;
    }
  });
  // After parsing: values are not read as Markdown.
  markdown.core.ruler.push('placeholders', ({ tokens }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      if (token.type === 'text') token.content = replacePlaceholders(token.content, values());
    }
  });
  const { rules } = markdown.renderer;
  // Pictures would be loaded from elsewhere, which would tell others who reads the page. Their texts stay.
  rules.image = (tokens, index) => escapeHtml(tokens[index]?.content ?? '');
  // The tabindex allows scrolling by keyboard.
  rules.fence = (tokens, index) => {
    const { content = '', info = '' } = tokens[index] ?? {};
    return `<pre tabindex="0"><code>${toListing(content, info.trim(), escapeHtml)}</code></pre>\n`;
  };
  rules.code_block = rules.fence;
  rules.table_open = () => '<section class="wide" tabindex="0" aria-label="Table"><table>\n';
  rules.table_close = () => '</table></section>\n';
  return (text) => markdown.render(text);
}

/** The size of all kept HTML in characters. */
const MAXIMUM_KEPT_CHARACTERS = 4 * 1024 * 1024;

/**
 * Creates a function that renders versions, which never change, and keeps their HTML.
 * @param values what the placeholders stand for. Other values render anew
 */
export function createVersionRenderer(render: (text: string) => string, values: () => PlaceholderValues) {
  const kept = new LRUCache<string, string>({
    maxSize: MAXIMUM_KEPT_CHARACTERS,
    sizeCalculation: (html, key) => html.length + key.length,
  });
  return ({ id, version, body }: { id: string; version: number; body: string }): string => {
    const key = JSON.stringify([id, version, values()]);
    const known = kept.get(key);
    if (known !== undefined) return known;
    const html = render(body);
    kept.set(key, html);
    return html;
  };
}

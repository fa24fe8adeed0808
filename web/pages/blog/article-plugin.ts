import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import MarkdownIt, { type Token } from 'markdown-it';
import { createCssVariablesTheme, createHighlighter, type ThemedToken } from 'shiki';
import type { Plugin } from 'vite';

/** A theme of CSS variable names instead of colours, one per kind of token. */
const theme = createCssVariablesTheme({ name: 'kinds', variablePrefix: '--is-' });

const languages = ['ts', 'tsx', 'js', 'vue'] as const;

/** A `.ts.txt` file is TypeScript that this project does not compile. */
function languageOf(path: string): (typeof languages)[number] {
  const [, ending] = /\.(\w+)(?:\.txt)?$/.exec(path) ?? [];
  const language = languages.find((each) => each === ending);
  if (language === undefined) throw new Error(`No language is known for ${path}.`);
  return language;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** Wraps a token in an element with its kind as the class. The style sheet defines the colours. */
function toSpan({ content, color = '' }: ThemedToken): string {
  const kind = /--is-token-([\w-]+)/.exec(color)?.[1];
  return kind === undefined ? escapeHtml(content) : `<span class="${kind}">${escapeHtml(content)}</span>`;
}

/** A code listing. It scrolls sideways on small screens; the tabindex allows that by keyboard. */
function toListing(name: string, lines: readonly ThemedToken[][]): string {
  const html = lines.map((line) => line.map(toSpan).join('')).join('\n');
  return `<figure><figcaption>${name}</figcaption><section tabindex="0" aria-label="${name}"><pre><code>${html}</code></pre></section></figure>`;
}

/** The link that is the only content of a block; null if there is other content. */
function onlyLink(block: Token | undefined): { text: string; href: string } | null {
  const [open, text, close, ...others] = block?.children ?? [];
  if (open?.type !== 'link_open' || close?.type !== 'link_close' || others.length > 0) return null;
  return { text: text?.content ?? '', href: String(open.attrGet('href')) };
}

/**
 * A Vite plugin that renders an `article.md` to HTML at build time. A heading is a link to its own anchor. A paragraph
 * that consists of a link to a file becomes a listing of that file. The first cell of a table row is its heading.
 */
export function articlePlugin(): Plugin {
  let highlighter: ReturnType<typeof createHighlighter> | null = null;
  return {
    name: 'articles',
    enforce: 'pre',
    async load(path) {
      if (!path.endsWith('/article.md')) return null;
      this.addWatchFile(path);
      highlighter ??= createHighlighter({ themes: [theme], langs: [...languages] });
      const { codeToTokens } = await highlighter;
      const readListing = async (name: string, file: string) => {
        this.addWatchFile(file);
        const text = (await readFile(file, 'utf8')).trimEnd();
        return toListing(name, codeToTokens(text, { lang: languageOf(file), theme: 'kinds' }).tokens);
      };
      const markdown = new MarkdownIt({ html: true });
      const tokens = markdown.parse(await readFile(path, 'utf8'), {});
      for (const [index, token] of tokens.entries()) {
        const content = tokens[index + 1];
        const link = onlyLink(content);
        if (token.type === 'heading_open' && link !== null) token.attrSet('id', link.href.slice(1));
        if (token.type === 'th_open') token.attrSet('scope', 'col');
        if (token.type === 'td_open' && tokens[index - 1]?.type === 'tr_open') {
          token.attrSet('scope', 'row');
          for (const cell of [token, tokens[index + 2]]) if (cell !== undefined) cell.tag = 'th';
        }
        if (token.type !== 'paragraph_open' || content === undefined || link === null) continue;
        const listing = await readListing(link.text, join(dirname(path), link.href));
        // In place of the paragraph.
        for (const part of [token, tokens[index + 2]]) if (part !== undefined) part.hidden = true;
        Object.assign(content, { type: 'html_block', content: listing, children: null });
      }
      const html = markdown.renderer.render(tokens, markdown.options, {});
      return { code: `export default ${JSON.stringify(html)};`, moduleType: 'js' };
    },
  };
}

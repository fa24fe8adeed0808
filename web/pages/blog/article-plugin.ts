import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Marked, type Token } from 'marked';
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

/** The link that is the only content of a block, or undefined. */
function onlyLink(token: Token) {
  const [link, ...others] = 'tokens' in token && token.tokens !== undefined ? token.tokens : [];
  return link?.type === 'link' && others.length === 0 ? link : undefined;
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
      const marked = new Marked({
        async: true,
        walkTokens: async (token) => {
          const link = token.type === 'paragraph' ? onlyLink(token) : undefined;
          if (link === undefined) return;
          const text = await readListing(link.text, join(dirname(path), link.href));
          Object.assign(token, { type: 'html', block: true, text });
        },
        renderer: {
          heading(token) {
            const id = String(onlyLink(token)?.href).slice(1);
            return `<h${token.depth} id="${id}">${this.parser.parseInline(token.tokens)}</h${token.depth}>`;
          },
          table({ header, rows }) {
            const heads = header.map(
              ({ tokens }) => `<th scope="col">${this.parser.parseInline(tokens)}</th>`,
            );
            const body = rows.map((row) => {
              const [label = '', ...cells] = row.map(({ tokens }) => this.parser.parseInline(tokens));
              return `<tr><th scope="row">${label}</th>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
            });
            return `<table><thead><tr>${heads.join('')}</tr></thead><tbody>${body.join('')}</tbody></table>`;
          },
        },
      });
      const html = await marked.parse(await readFile(path, 'utf8'));
      return { code: `export default ${JSON.stringify(html)};`, moduleType: 'js' };
    },
  };
}

import { readFile } from 'node:fs/promises';
import { createCssVariablesTheme, createHighlighter } from 'shiki';
import type { Plugin } from 'vite';

const query = '?highlighted';

/** Says by a variable's name what a word is to its language, instead of giving it a colour. */
const theme = createCssVariablesTheme({ name: 'kinds', variablePrefix: '--is-' });

const languages = ['ts', 'tsx', 'js', 'vue'] as const;

/** `search.component.ts.txt` is TypeScript that the compiler of this project is not to read. */
function languageOf(path: string): (typeof languages)[number] {
  const [, ending] = /\.(\w+)(?:\.txt)?$/.exec(path) ?? [];
  const language = languages.find((each) => each === ending);
  if (language === undefined) throw new Error(`No language is known for ${path}.`);
  return language;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** A word in an element whose class is its kind, so that the colours stand in the style sheet, once. */
function word({ content, color = '' }: { content: string; color?: string | undefined }): string {
  const kind = /--is-token-([\w-]+)/.exec(color)?.[1];
  return kind === undefined ? escaped(content) : `<span class="${kind}">${escaped(content)}</span>`;
}

/**
 * Turns `import code from './example.ts?highlighted'` into the file's text as HTML, its words marked by what they
 * are, while the pages are built: nothing of the highlighter reaches a browser.
 */
export function highlightedCode(): Plugin {
  let highlighter: ReturnType<typeof createHighlighter> | null = null;
  return {
    name: 'highlighted-code',
    enforce: 'pre',
    async load(id) {
      if (!id.endsWith(query)) return null;
      const path = id.slice(0, -query.length);
      this.addWatchFile(path);
      highlighter ??= createHighlighter({ themes: [theme], langs: [...languages] });
      const { codeToTokens } = await highlighter;
      const text = (await readFile(path, 'utf8')).trimEnd();
      const { tokens } = codeToTokens(text, { lang: languageOf(path), theme: 'kinds' });
      const html = tokens.map((line) => line.map(word).join('')).join('\n');
      return { code: `export default ${JSON.stringify(html)};`, moduleType: 'js' };
    },
  };
}

import { readFile } from 'node:fs/promises';
import { createCssVariablesTheme, createHighlighter } from 'shiki';
import type { Plugin } from 'vite';

const query = '?highlighted';

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

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** Wraps a token in an element with its kind as the class. The style sheet defines the colours. */
function word({ content, color = '' }: { content: string; color?: string | undefined }): string {
  const kind = /--is-token-([\w-]+)/.exec(color)?.[1];
  return kind === undefined ? escaped(content) : `<span class="${kind}">${escaped(content)}</span>`;
}

/**
 * A Vite plugin that resolves `import code from './example.ts?highlighted'` to highlighted HTML. It runs at build time,
 * so the highlighter is not in the browser's bundle.
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

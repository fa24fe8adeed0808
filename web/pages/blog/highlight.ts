import { readFile } from 'node:fs/promises';
import { createCssVariablesTheme, createHighlighter, type ShikiTransformer } from 'shiki';
import type { Plugin } from 'vite';

const query = '?highlighted';

const theme = createCssVariablesTheme({ name: 'coomercio', variablePrefix: 'code-' });

/** What a word is to its language, as a class instead of a style: the colours stand in the style sheet, once. */
const kindsAsClasses: ShikiTransformer = {
  span: (node) => {
    const kind = /var\(--code-token-([\w-]+)\)/.exec(String(node.properties.style ?? ''))?.[1];
    delete node.properties.style;
    if (kind !== undefined) node.properties.class = kind;
  },
};

/** `search.component.ts.txt` is TypeScript that the compiler of this project is not to read. */
function languageOf(path: string): string {
  return (
    path
      .replace(/\.txt$/, '')
      .split('.')
      .at(-1) ?? 'text'
  );
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
      highlighter ??= createHighlighter({ themes: [theme], langs: ['ts', 'tsx', 'js', 'vue'] });
      const html = (await highlighter).codeToHtml((await readFile(path, 'utf8')).trimEnd(), {
        lang: languageOf(path),
        theme: 'coomercio',
        structure: 'inline',
        transformers: [kindsAsClasses],
      });
      return { code: `export default ${JSON.stringify(html)};`, moduleType: 'js' };
    },
  };
}

declare module '*/article.md' {
  /** The article as HTML, rendered by `article-plugin.ts`. */
  const html: string;
  export default html;
}

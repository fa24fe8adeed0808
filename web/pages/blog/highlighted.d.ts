declare module '*?highlighted' {
  /** The file's text as HTML; `highlight.ts` makes it while the pages are built. */
  const html: string;
  export default html;
}

declare module '*?highlighted' {
  /** The file as highlighted HTML, built by `highlight.ts`. */
  const html: string;
  export default html;
}

/** The part of the package that the build uses; it brings no types of its own. */
declare module 'subset-font' {
  /** @param text every character that the font is to keep */
  export default function subsetFont(
    font: Buffer,
    text: string,
    options: {
      targetFormat: 'woff2';
      /** OpenType features by their tags. */
      keepFeatures: string[];
      variationAxes: Record<string, { min: number; max: number }>;
    },
  ): Promise<Buffer>;
}

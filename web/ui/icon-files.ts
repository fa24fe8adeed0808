import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import type { Plugin } from 'vite';
import { theme } from '../../contract/theme.ts';

/** The files that browsers ask for by name, with their width and height in pixels. */
const files = {
  'favicon.ico': 48,
  'apple-touch-icon.png': 180,
  'icon-192.png': 192,
  'icon-512.png': 512,
} as const;

/**
 * Builds the icons for browsers and phones that take no SVG. `favicon.ico` is a PNG by that name: browsers go by the content.
 * @param svg path of the icon
 */
export const iconFiles = (svg: string): Plugin => ({
  name: 'icon-files',
  applyToEnvironment: ({ name }) => name === 'client',
  async generateBundle() {
    const source = await readFile(svg);
    for (const [fileName, size] of Object.entries(files)) {
      const picture = sharp(source, { density: 72 * (size / 32) })
        .resize(size)
        // Behind the mark: phones cut the icon to their own shape, and show transparent corners black.
        .flatten({ background: theme.primary.light });
      this.emitFile({ type: 'asset', fileName, source: await picture.png({ palette: true }).toBuffer() });
    }
  },
});

import type { Size } from './rules.ts';

/** Thrown for a HEIC file that libheif cannot read. */
export class UnreadableHeic extends Error {}

/** An image as libheif decodes it: tiles assembled, rotated and mirrored, eight bits per channel. */
export interface HeicPixels extends Size {
  readonly channels: 3 | 4;
  readonly pixels: Buffer;
}

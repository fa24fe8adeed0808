import type { Size } from './rules.ts';

/** A HEIC file that libheif cannot read. */
export class UnreadableHeic extends Error {}

/** An image as libheif decodes it: grid assembled, rotated and mirrored, eight bits a channel. */
export interface HeicPixels extends Size {
  readonly channels: 3 | 4;
  readonly pixels: Buffer;
}

const MILLIMETRES_PER_INCH = 25.4;

/**
 * The EDID block that a laptop's screen would report, as a hexadecimal dump.
 * @param display as listed, such as `14.0" IPS, 1920 × 1080, 300 nits, matte`
 * @throws Error when the text has no diagonal or no size in pixels
 */
export function screenEdid(display: string): string {
  const [inches, width, height] = (/^([\d.]+)" .{0,40}?(\d{3,4}) × (\d{3,4})/.exec(display) ?? [])
    .slice(1)
    .map(Number);
  if (inches === undefined || width === undefined || height === undefined) {
    throw new Error(`No size of a screen: ${display}`);
  }
  const scale = (inches * MILLIMETRES_PER_INCH) / Math.hypot(width, height);
  const [across, down] = [Math.round(width * scale), Math.round(height * scale)];
  const edid = new Uint8Array(128);
  edid.set([0x00, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x00]);
  // The size in centimetres.
  edid.set([Math.round(across / 10), Math.round(down / 10)], 21);
  // The first detailed timing: clock, pixels across and down with their high bits, and the size in millimetres.
  edid.set([0x02, 0x3a, width & 0xff, 0, (width >> 8) << 4, height & 0xff, 0, (height >> 8) << 4], 54);
  edid.set([across & 0xff, down & 0xff, ((across >> 8) << 4) | (down >> 8)], 66);
  edid[127] = 256 - (edid.reduce((total, byte) => total + byte, 0) % 256);
  return Buffer.from(edid).toString('hex').replace(/../g, ' $&');
}

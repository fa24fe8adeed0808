/**
 * An ascending list of rows, stored as the differences between them: 7 bits a byte, the lowest first, and the 8th bit set when
 * another byte follows. Most words are in many laptops, so a row usually takes one byte instead of the four of an array.
 */
export class RowList {
  #bytes = new Uint8Array(0);
  #length = 0;
  #size = 0;
  #last = -1;

  /** The number of rows. */
  get size(): number {
    return this.#size;
  }

  /** The last row, or -1. */
  get last(): number {
    return this.#last;
  }

  get bytes(): number {
    return this.#bytes.byteLength;
  }

  /** Adds a row above the last one. */
  add(row: number): void {
    // A row below 2^32 takes at most 5 bytes.
    if (this.#length + 5 > this.#bytes.length) this.#resize(Math.ceil(this.#length * 1.2) + 5);
    let rest = row - this.#last;
    for (; rest > 0x7f; rest >>>= 7) {
      this.#bytes[this.#length] = (rest & 0x7f) | 0x80;
      this.#length += 1;
    }
    this.#bytes[this.#length] = rest;
    this.#length += 1;
    this.#size += 1;
    this.#last = row;
  }

  #resize(length: number): void {
    const resized = new Uint8Array(length);
    resized.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = resized;
  }

  /** Frees reserved memory. */
  trim(): void {
    this.#resize(this.#length);
  }

  /** Calls `visit` with each row in ascending order, until it returns false. */
  each(visit: (row: number) => unknown): void {
    const bytes = this.#bytes;
    const length = this.#length;
    let row = -1;
    let at = 0;
    while (at < length) {
      let byte = bytes[at] ?? 0;
      let difference = byte & 0x7f;
      for (let shift = 7; byte > 0x7f; shift += 7) {
        at += 1;
        byte = bytes[at] ?? 0;
        difference |= (byte & 0x7f) << shift;
      }
      at += 1;
      row += difference;
      if (visit(row) === false) return;
    }
  }
}

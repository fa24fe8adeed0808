/** A set of rows: a bit for each, 32 in a block. */
export class RowSet {
  /** Bits after the last row are not always 0: those of what a filter accepts. Rows after the last block are not in the set. */
  blocks: Uint32Array<ArrayBuffer>;

  /** @param rows the number of rows for which there is room */
  constructor(rows: number) {
    this.blocks = new Uint32Array(Math.ceil(rows / 32));
  }

  has(row: number): boolean {
    const at = row >>> 5;
    return at < this.blocks.length && (((this.blocks[at] ?? 0) >>> row) & 1) === 1;
  }

  add(row: number): void {
    const at = row >>> 5;
    if (at >= this.blocks.length) {
      this.blocks = new Uint32Array(this.blocks.buffer.transfer(4 * Math.ceil(at * 1.06) + 4));
    }
    this.blocks[at] = (this.blocks[at] ?? 0) | (1 << row);
  }

  delete(row: number): void {
    this.blocks[row >>> 5] = (this.blocks[row >>> 5] ?? 0) & ~(1 << row);
  }

  /** The rows of this set that all others have. */
  and(...others: readonly RowSet[]): RowSet {
    // Reading behind the end of an array would make the whole loop slow.
    const length = Math.min(...[this, ...others].map(({ blocks }) => blocks.length));
    const result = new RowSet(length * 32);
    result.blocks.set(this.blocks.subarray(0, length));
    for (const { blocks } of others) {
      for (let at = 0; at < length; at += 1) result.blocks[at] = (result.blocks[at] ?? 0) & (blocks[at] ?? 0);
    }
    return result;
  }

  /** The number of rows. */
  get size(): number {
    let size = 0;
    for (let at = 0; at < this.blocks.length; at += 1) {
      // The number of bits of each two, then of each four, of each eight, and of all.
      let bits = this.blocks[at] ?? 0;
      bits -= (bits >>> 1) & 0x55555555;
      bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
      size += Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
    }
    return size;
  }

  /** The rows, ascending. */
  toRows(): Uint32Array {
    const rows = new Uint32Array(this.size);
    let length = 0;
    for (let at = 0; at < this.blocks.length; at += 1) {
      for (let bits = this.blocks[at] ?? 0; bits !== 0; bits &= bits - 1) {
        rows[length] = at * 32 + 31 - Math.clz32(bits & -bits);
        length += 1;
      }
    }
    return rows;
  }
}

/** The rows of `all` by the number of sets in which they are missing, from 0 to that of the sets. */
export function byMissing(all: RowSet, sets: readonly RowSet[]): RowSet[] {
  const rows = all.blocks.length * 32;
  const none = new RowSet(rows);
  let found = [all];
  for (const { blocks } of sets) {
    const length = Math.min(blocks.length, all.blocks.length);
    found = [...found, none].map((same, count) => {
      const result = new RowSet(rows);
      const fewer = (found[count - 1] ?? none).blocks;
      result.blocks.set(fewer);
      for (let at = 0; at < length; at += 1) {
        const block = blocks[at] ?? 0;
        result.blocks[at] = ((same.blocks[at] ?? 0) & block) | ((fewer[at] ?? 0) & ~block);
      }
      return result;
    });
  }
  return found;
}

/** A set of rows: a bit for each, 32 in a block. */
export class RowSet {
  /** Bits after the last row are not always 0: those of what a filter accepts. */
  blocks: Uint32Array;

  /** @param rows the number of rows for which there is room */
  constructor(rows: number) {
    this.blocks = new Uint32Array(Math.ceil(rows / 32));
  }

  has(row: number): boolean {
    return (((this.blocks[row >>> 5] ?? 0) >>> row) & 1) === 1;
  }

  add(row: number): void {
    const at = row >>> 5;
    if (at >= this.blocks.length) {
      const longer = new Uint32Array(Math.ceil(at * 1.06) + 1);
      longer.set(this.blocks);
      this.blocks = longer;
    }
    this.blocks[at] = (this.blocks[at] ?? 0) | (1 << row);
  }

  delete(row: number): void {
    this.blocks[row >>> 5] = (this.blocks[row >>> 5] ?? 0) & ~(1 << row);
  }

  /** The rows of this set that another one has, or those that it does not have. */
  and(other: RowSet, isIn = true): RowSet {
    const result = new RowSet(other.blocks.length * 32);
    const flipped = isIn ? 0 : -1;
    for (let at = 0; at < other.blocks.length; at += 1)
      result.blocks[at] = (this.blocks[at] ?? 0) & ((other.blocks[at] ?? 0) ^ flipped);
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

/**
 * Counts for each row in how many sets it is missing. The counts are kept as binary digits, a set of rows for each digit, so that
 * the counts of 32 rows are increased at once.
 * @returns a function that returns the rows of `all` that are missing in so many sets, for a number up to that of the sets
 */
export function countMissing(all: RowSet, sets: readonly RowSet[]): (count: number) => RowSet {
  const rows = (sets[0] ?? all).blocks.length * 32;
  const digits = Array.from({ length: 32 - Math.clz32(sets.length) }, () => new RowSet(rows));
  for (const { blocks } of sets) {
    for (let at = 0; at < blocks.length; at += 1) {
      let carry = (all.blocks[at] ?? 0) & ~(blocks[at] ?? 0);
      for (const digit of digits) {
        const bits = digit.blocks[at] ?? 0;
        digit.blocks[at] = bits ^ carry;
        carry &= bits;
        if (carry === 0) break;
      }
    }
  }
  return (count) => digits.reduce((found, digit, at) => found.and(digit, ((count >>> at) & 1) === 1), all);
}

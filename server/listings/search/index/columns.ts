import type { FacetName } from '#contract/listings/search.ts';
import { Bitmaps } from './bitmaps.ts';
import { Facet } from './facet.ts';
import { CONFIGURATION_SEPARATOR, facetNames, facetValues, type LaptopRow, STEP_ROWS } from './row.ts';
import { Vocabulary } from './vocabulary.ts';
import { facetTexts, wordsOf } from './words.ts';

/** The maximum number of texts of configurations whose words are remembered during the loading: most laptops have the same. */
const MAXIMUM_SPLIT_TEXTS = 65_536;

/**
 * The columns of all laptops. Rows are in ascending order of the laptops' numbers. A removed laptop leaves an unused row,
 * whose words are kept: only searches with the bitmap `live` see them no more.
 */
export class Columns {
  readonly bitmaps: Bitmaps;
  /** The rows of laptops that are not removed. */
  readonly live: number;
  /** Columns of {@link bitmaps}, in cents. */
  readonly prices: number;
  readonly savings: number;
  readonly facets: Readonly<Record<FacetName, Facet>>;
  /** Each facet with what reads its value. In an array, because lookups by name took a tenth of the loading. */
  readonly #facetReaders: readonly { facet: Facet; readValue: (laptop: LaptopRow) => string | null }[];
  readonly vocabulary: Vocabulary;
  readonly #numbers: Uint32Array;
  /** The words of configurations' texts that occurred during the loading; null after it. */
  #splitTexts: Map<string, readonly number[]> | null = new Map();
  #removed = 0;

  /** @param capacity the maximum number of rows */
  constructor(capacity: number) {
    const bitmaps = new Bitmaps(capacity);
    const vocabulary = new Vocabulary(bitmaps);
    this.bitmaps = bitmaps;
    this.vocabulary = vocabulary;
    this.live = bitmaps.allocate();
    this.prices = bitmaps.allocateColumn();
    this.savings = bitmaps.allocateColumn();
    this.#numbers = new Uint32Array(bitmaps.capacity);
    const facet = (name: FacetName) =>
      new Facet(bitmaps, {
        // There are thousands of places.
        rowSets: name !== 'place',
        onNewValue: (value, rows) => {
          const kind = name === 'brand' ? 'brands' : 'facts';
          for (const word of wordsOf(facetTexts[name]?.(value) ?? '')) vocabulary.addValue(word, rows, kind);
        },
      });
    this.facets = {
      brand: facet('brand'),
      condition: facet('condition'),
      level: facet('level'),
      memory: facet('memory'),
      storage: facet('storage'),
      screen: facet('screen'),
      battery: facet('battery'),
      processor: facet('processor'),
      generation: facet('generation'),
      graphics: facet('graphics'),
      system: facet('system'),
      verified: facet('verified'),
      place: facet('place'),
    };
    this.#facetReaders = facetNames.map((name) => ({
      facet: this.facets[name],
      readValue: facetValues[name],
    }));
  }

  get rows(): number {
    return this.bitmaps.rows;
  }

  /** The number of unused rows. */
  get removed(): number {
    return this.#removed;
  }

  get bytes(): number {
    const facets = Object.values(this.facets).reduce((sum, { bytes }) => sum + bytes, 0);
    return this.bitmaps.bytes + facets + this.vocabulary.bytes + this.#numbers.byteLength;
  }

  /** The number of the laptop of a row. */
  numberOf(row: number): number {
    return this.#numbers[row] ?? 0;
  }

  /** The first row whose number is not below a number. */
  rowFrom(number: number): number {
    let low = 0;
    let high = this.rows;
    if (high > 0 && this.numberOf(high - 1) < number) return high;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.numberOf(middle) < number) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The numbers of the distinct words of a text. */
  #wordsOf(text: string): readonly number[] {
    return wordsOf(text).map((word) => this.vocabulary.numberOf(word));
  }

  #wordsOfConfiguration(text: string): readonly number[] {
    const known = this.#splitTexts?.get(text);
    if (known !== undefined) return known;
    const words = this.#wordsOf(text);
    if (this.#splitTexts?.size === MAXIMUM_SPLIT_TEXTS) this.#splitTexts.clear();
    this.#splitTexts?.set(text, words);
    return words;
  }

  /** Adds or replaces a laptop. There must be room for another row. */
  upsert(laptop: LaptopRow): void {
    const row = this.rowFrom(laptop.number);
    if (row === this.rows || this.numberOf(row) !== laptop.number) this.#insert(row, laptop.number);
    const { names, configurations } = this.vocabulary;
    names.set(row, [this.#wordsOf(laptop.name)]);
    const texts = laptop.configuration.split(CONFIGURATION_SEPARATOR);
    configurations.set(
      row,
      texts.map((text) => this.#wordsOfConfiguration(text)),
    );
    this.#setColumns(row, laptop);
  }

  /** Inserts an empty row, which counts as removed. Rows after it move; with numbers of a sequence they are few. */
  #insert(row: number, number: number): void {
    if (row < this.rows) {
      for (const name of facetNames) this.facets[name].shift(row, this.rows);
      this.vocabulary.shift(row);
      this.bitmaps.shift(this.live, row);
      for (const column of [this.prices, this.savings]) {
        this.bitmaps.words.copyWithin(column / 4 + row + 1, column / 4 + row, column / 4 + this.rows);
      }
      this.#numbers.copyWithin(row + 1, row, this.rows);
    }
    this.bitmaps.rows += 1;
    this.#numbers[row] = number;
    this.#removed += 1;
  }

  #setColumns(row: number, laptop: LaptopRow): void {
    const isLive = this.bitmaps.has(this.live, row);
    for (const { facet, readValue } of this.#facetReaders) {
      const value = readValue(laptop);
      if (isLive) facet.replace(row, value);
      else facet.add(row, value);
    }
    const { words } = this.bitmaps;
    words[this.prices / 4 + row] = laptop.priceCents;
    words[this.savings / 4 + row] = Math.max(laptop.originalCents - laptop.priceCents, 0);
    if (isLive) return;
    this.bitmaps.set(this.live, row);
    this.#removed -= 1;
  }

  /** Removes the laptop with a number, if there is one. */
  remove(number: number): void {
    const row = this.rowFrom(number);
    if (row === this.rows || this.numberOf(row) !== number || !this.bitmaps.has(this.live, row)) return;
    for (const name of facetNames) this.facets[name].delete(row);
    this.bitmaps.clear(this.live, row);
    this.#removed += 1;
  }

  /**
   * Returns a copy without unused rows, made in steps. The columns must not change until it is complete.
   * @param capacity its maximum number of rows
   * @yields after every {@link STEP_ROWS} rows of a column or word
   */
  *copy(capacity: number): Generator<void, Columns> {
    const copy = new Columns(capacity);
    const live = this.bitmaps.list(this.live);
    copy.bitmaps.rows = live.length;
    for (let row = 0; row < live.length; row += 1) {
      const from = live[row] ?? 0;
      copy.#numbers[row] = this.numberOf(from);
      copy.bitmaps.set(copy.live, row);
      copy.bitmaps.words[copy.prices / 4 + row] = this.bitmaps.words[this.prices / 4 + from] ?? 0;
      copy.bitmaps.words[copy.savings / 4 + row] = this.bitmaps.words[this.savings / 4 + from] ?? 0;
      if (row % STEP_ROWS === STEP_ROWS - 1) yield;
    }
    for (const name of facetNames) {
      yield* copy.facets[name].copy(this.facets[name], live);
      yield;
    }
    yield* copy.vocabulary.copy(this.vocabulary, live);
    yield;
    copy.trim();
    return copy;
  }

  /** Frees memory that the loading has used, and what growing lists have reserved. */
  trim(): void {
    this.#splitTexts = null;
    for (const name of facetNames) this.facets[name].trim();
    this.vocabulary.trim();
  }
}

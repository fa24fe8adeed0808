import { byFacet, facetNames, facets, facetValue, MAXIMUM_FILTER_VALUES } from '#contract/listings/facets.ts';
import { Column } from './column.ts';
import { byCount, FacetColumn } from './facet-column.ts';
import { CONFIGURATION_SEPARATOR, type LaptopRow } from './row.ts';
import { places, Vocabulary, type Word } from './vocabulary.ts';
import { noteWords, splitWords, wordsOf } from './words.ts';

/** The maximum number of texts whose words are remembered: most laptops have the same texts. */
const MAXIMUM_TEXTS = 65_536;

/** The maximum number of places that are remembered of a part: anybody can list a laptop with another place. */
const MAXIMUM_PLACES_OF_PART = 1_000;

/** Bytes of a part of a place: its text, a list and the entry of a map. */
const PART_BYTES = 200;

/** Where words are that may be of a name; a place is among the facts. */
const namePlaces: readonly number[] = [places.title, places.configuration];

/** So many removed rows are kept in any case. */
const KEPT_ROWS = 1024;

/**
 * The laptops as columns and lists of rows. Rows are only added: a changed laptop gets a new row, and its old one counts as
 * removed, until all laptops are loaded into a new table.
 */
export class LaptopTable {
  readonly numbers = new Column();
  /** In cents. */
  readonly prices = new Column();
  /** The original price less the price, in cents. */
  readonly savings = new Column();
  /** 1 for removed rows. */
  readonly removed = new Column();
  readonly facets = byFacet(() => new FacetColumn());
  readonly #columns = [this.numbers, this.prices, this.savings, this.removed, ...Object.values(this.facets)];
  readonly vocabulary = new Vocabulary();
  /** The positions of the places with a part, by the words of the part; and the number of places whose parts are known. */
  readonly #placeParts = new Map<string, number[]>();
  #knownPlaces = 1;
  readonly #texts = new Map<string, readonly Word[]>();
  /** The number of rows, including removed ones. */
  rows = 0;
  #removedRows = 0;
  /** The number of first rows in ascending order of their laptops' numbers, and the latest row of each other number. */
  #ascending = 0;
  readonly #later = new Map<number, number>();

  /** The number of laptops. */
  get count(): number {
    return this.rows - this.#removedRows;
  }

  /** Whether so many rows are removed that all laptops should be loaded into a new table. */
  get isWasteful(): boolean {
    return this.#removedRows > Math.max(this.rows / 4, KEPT_ROWS);
  }

  /** The size in bytes. Objects and strings are estimated. */
  get bytes(): number {
    const columns = this.#columns.reduce((sum, { bytes }) => sum + bytes, 0);
    return columns + this.vocabulary.bytes + this.#placeParts.size * PART_BYTES;
  }

  /** The latest row of a number, or -1. */
  #rowOf(number: number): number {
    let low = 0;
    for (let end = this.#ascending; low < end; ) {
      const middle = (low + end) >>> 1;
      if (this.numbers.get(middle) < number) low = middle + 1;
      else end = middle;
    }
    const isFound = low < this.#ascending && this.numbers.get(low) === number;
    return this.#later.get(number) ?? (isFound ? low : -1);
  }

  #wordsOf(text: string): readonly Word[] {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    const words = wordsOf(text).map((word) => this.vocabulary.add(word));
    if (this.#texts.size === MAXIMUM_TEXTS) this.#texts.clear();
    this.#texts.set(text, words);
    return words;
  }

  /** Adds or replaces a laptop by its number. Takes least memory in ascending order of numbers. */
  upsert(laptop: LaptopRow): void {
    this.remove(laptop.number);
    const row = this.rows;
    const isAscending = this.#ascending === row && (row === 0 || this.numbers.get(row - 1) < laptop.number);
    if (isAscending) this.#ascending += 1;
    else this.#later.set(laptop.number, row);
    this.rows += 1;
    this.numbers.set(row, laptop.number);
    this.prices.set(row, laptop.priceCents);
    this.savings.set(row, Math.max(laptop.originalCents - laptop.priceCents, 0));
    this.removed.set(row, 0);
    for (const word of this.#wordsOf(laptop.name)) word.add(row, places.title);
    for (const name of facetNames) {
      const value = facetValue(name, laptop[name]);
      this.facets[name].add(row, value);
      const words = value === null ? [] : this.#wordsOf(facets[name].words?.(value) ?? '');
      for (const word of words) word.add(row, name === 'brand' ? places.title : places.facts);
    }
    for (const text of laptop.configuration.split(CONFIGURATION_SEPARATOR)) {
      for (const word of this.#wordsOf(text)) word.add(row, places.configuration);
    }
    for (const text of noteWords(laptop.notes)) this.vocabulary.addOfNotes(text)?.add(row, places.notes);
  }

  /** Removes the laptop with a number, if there is one. */
  remove(number: number): void {
    const row = this.#rowOf(number);
    if (row < 0 || this.removed.get(row) === 1) return;
    this.removed.set(row, 1);
    this.#removedRows += 1;
    for (const name of facetNames) this.facets[name].remove(row);
  }

  /** The most frequent places of laptops with some words, as {@link FindPlaces} of `understand.ts` asks for them. */
  findPlaces(texts: readonly string[], isNamed: boolean): string[] {
    this.#learnPlaces();
    const codes = this.#placeParts.get(texts.join(' ')) ?? [];
    const isTitled = (text: string) =>
      this.vocabulary
        .get(text)
        ?.visit((row, place) => namePlaces.includes(place) && this.removed.get(row) === 0);
    if (codes.length === 0 || (!isNamed && texts.every(isTitled))) return [];
    return codes
      .map((code) => this.facets.place.countOf(code))
      .filter(({ count }) => count > 0)
      .sort(byCount)
      .slice(0, MAXIMUM_FILTER_VALUES)
      .map(({ value }) => value);
  }

  /** Remembers new places under each of their parts: `Portland, Oregon` is found as `portland` and as `oregon`. */
  #learnPlaces(): void {
    const { values } = this.facets.place;
    for (; this.#knownPlaces < values.length; this.#knownPlaces += 1) {
      const parts = values[this.#knownPlaces]?.split(',').map((part) => splitWords(part).join(' '));
      for (const part of new Set(parts)) {
        const codes = this.#placeParts.get(part) ?? [];
        if (codes.length < MAXIMUM_PLACES_OF_PART) codes.push(this.#knownPlaces);
        this.#placeParts.set(part, codes);
      }
    }
  }

  /** Frees memory that the loading has used. */
  trim(): void {
    this.#texts.clear();
    this.vocabulary.trim();
    for (const column of this.#columns) column.trim(this.rows);
  }
}

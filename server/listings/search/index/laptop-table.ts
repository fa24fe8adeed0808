import { LRUCache } from 'lru-cache';
import { byFacet, facetNames, facets, facetValue, MAXIMUM_FILTER_VALUES } from '#contract/listings/facets.ts';
import { Column } from './column.ts';
import { byCount, FacetColumn } from './facet-column.ts';
import { CONFIGURATION_SEPARATOR, type LaptopRow } from './row.ts';
import { RowSet } from './row-set.ts';
import { type Place, places, Vocabulary, type Word } from './vocabulary.ts';
import { noteWords, splitWords, wordsOf } from './words.ts';

/** The maximum number of texts whose words are remembered: most laptops have the same texts. */
const MAXIMUM_TEXTS = 8_192;

/** The maximum number of places that are remembered of a part: anybody can list a laptop with another place. */
const MAXIMUM_PLACES_OF_PART = 1_000;

/** Bytes of a place and its parts: an estimate. */
const PLACE_BYTES = 400;

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
  /** The rows that were not removed. */
  readonly live = new RowSet(0);
  readonly facets = byFacet((name) => new FacetColumn(name));
  readonly vocabulary = new Vocabulary();
  readonly #texts = new LRUCache<string, readonly Word[]>({
    max: MAXIMUM_TEXTS,
    memoMethod: (text) => wordsOf(text).map((word) => this.vocabulary.add(word)),
  });
  /** The places by the words of each of their parts: `Portland, Oregon` is found as `portland` and as `oregon`. */
  readonly #placesByPart = new Map<string, readonly string[]>();
  /** The number of rows, including removed ones. */
  rows = 0;

  /** The number of laptops. */
  get count(): number {
    return this.live.size;
  }

  /** Whether so many rows are removed that all laptops should be loaded into a new table. */
  get isWasteful(): boolean {
    return this.rows - this.count > Math.max(this.rows / 4, KEPT_ROWS);
  }

  /** The size in bytes. Objects and strings are estimated. */
  get bytes(): number {
    const columns = [this.numbers, this.prices, this.savings, ...Object.values(this.facets)];
    const ofColumns = columns.reduce((sum, { bytes }) => sum + bytes, this.live.blocks.byteLength);
    return ofColumns + this.vocabulary.bytes + this.facets.place.values.length * PLACE_BYTES;
  }

  /** Adds a laptop that is not there. */
  add(laptop: LaptopRow): void {
    const row = this.rows;
    this.rows += 1;
    this.numbers.set(row, laptop.number);
    this.prices.set(row, laptop.priceCents);
    this.savings.set(row, Math.max(laptop.originalCents - laptop.priceCents, 0));
    this.live.add(row);
    const addWords = (text: string, place: Place) => {
      for (const word of this.#texts.memo(text)) word.add(row, place);
    };
    addWords(laptop.name, places.title);
    for (const name of facetNames) {
      const value = facetValue(name, laptop[name]) ?? '';
      const isNew = this.facets[name].add(row, value);
      if (isNew && name === 'place') this.#addPlace(value);
      const text = value === '' ? '' : (facets[name].words?.(value) ?? '');
      addWords(text, name === 'brand' ? places.title : places.facts);
    }
    for (const text of laptop.configuration.split(CONFIGURATION_SEPARATOR))
      addWords(text, places.configuration);
    for (const text of noteWords(laptop.notes))
      this.vocabulary.addOfNotes(text, laptop.sellerId)?.add(row, places.notes);
  }

  /** Removes the laptop with a number, if there is one. */
  remove(number: number): void {
    const row = this.numbers.cells.subarray(0, this.rows).lastIndexOf(number);
    if (!this.live.has(row)) return;
    this.live.delete(row);
    for (const name of facetNames) this.facets[name].remove(row);
  }

  /** Whether a laptop has a word in one of some places. Default: in any. */
  has(word: Word | undefined, where: readonly number[] = Object.values(places)): boolean {
    return word?.visit((row, place) => where.includes(place) && this.live.has(row)) ?? false;
  }

  #addPlace(place: string): void {
    const parts = place.split(',').map((part) => splitWords(part).join(' '));
    for (const part of new Set(parts)) {
      const others = this.#placesByPart.get(part) ?? [];
      if (others.length < MAXIMUM_PLACES_OF_PART) this.#placesByPart.set(part, [...others, place]);
    }
  }

  /**
   * The most frequent places of laptops.
   * @param texts the words of a whole part of a place, such as a city
   * @param isNamed whether they follow a word such as “near”; otherwise they are not only words of names and configurations
   */
  findPlaces(texts: readonly string[], isNamed: boolean): string[] {
    const found = this.#placesByPart.get(texts.join(' ')) ?? [];
    // A place is among the facts.
    const isOfNames = (text: string) =>
      this.has(this.vocabulary.get(text), [places.title, places.configuration]);
    if (found.length === 0 || (!isNamed && texts.every(isOfNames))) return [];
    return found
      .map((value) => ({ value, count: this.facets.place.sizeOf(value) }))
      .filter(({ count }) => count > 0)
      .sort(byCount)
      .slice(0, MAXIMUM_FILTER_VALUES)
      .map(({ value }) => value);
  }
}

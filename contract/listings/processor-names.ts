// Reads the family and generation of a processor. A new line of processors gets a scheme in the table of its maker, names in
// `fact-names.ts`, and examples in the test, which holds each scheme against the names of all others.

import {
  type Facts,
  type ProcessorFamily,
  type ProcessorGeneration,
  processorFamilies,
  processorGenerations,
} from './fact-names.ts';

export type ReadProcessor = Pick<Facts, 'processor' | 'generation'>;

/** A way of naming processors. */
interface NamingScheme {
  /** Matches only names of this scheme, with the named groups that the two functions use. */
  pattern: RegExp;
  family: (groups: Groups) => string;
  /** Missing where buyers do not ask for the generation. */
  generation?: (groups: Groups) => string;
}

type Groups = Readonly<Partial<Record<string, string>>>;

interface Maker {
  /** Matches a text that says who made the processor, not who made the graphics or the network card. */
  named: RegExp;
  schemes: readonly NamingScheme[];
}

/** After a number of a model: it is not the size of a drive, a clock rate or a resolution. */
const notQuantity = String.raw`(?!\d| ?[gmt](?:i?b|o)\b| ?[gm]hz| ?[x×] ?\d{3})`;

/** `, 12th generation` or ` (12th Gen`. */
const ordinalAfter = String.raw`(?:[ ,(]{1,3}(?<after>\d{1,2})(?:st|nd|rd|th)[ -]gen)?`;
const ordinalBefore = String.raw`(?:\b(?<before>\d{1,2})(?:st|nd|rd|th)[ -]gen(?:eration)? (?:intel )?(?:core )?)?`;

/** ` 155H`, or `, Series 1`, of Intel's names since 2023. */
const intelSeries = String.raw`(?: (?:pro )?(?<series>[1-9])\d\d${notQuantity}|[ ,(]{1,3}series (?<after>\d))?`;

const byIntelSeries = ({ series, after }: Groups) => `intel-series-${series ?? after}`;

/** Model numbers of a Core i: 520 is of the 1st generation, 7500 and 7Y54 of the 7th, 1165 of the 11th, 10510 of the 10th. */
const coreModel = String.raw`(?:(?:[3-9]\d[015]|[2-9]\d{3})(?!p\b)|[5-9]y\d\d|10[036]\d|1[1-3]\d\d|1[0-4]\d{3})`;

function coreGeneration({ model, before, after }: Groups): string {
  if (model === undefined) return `intel-${before ?? after}`;
  if (model.length === 3) return 'intel-1';
  return `intel-${model.startsWith('1') ? model.slice(0, 2) : model.slice(0, 1)}`;
}

const intel: Maker = {
  named: /\bintel\b(?! (?:iris|u?hd|xe|arc|graphics|wi-?fi|wireless|ax\d))/,
  schemes: [
    {
      pattern: new RegExp(
        String.raw`${ordinalBefore}(?:\b|core)i(?<tier>[3579])(?:[ -]?(?:[mqulx] )?(?<model>${coreModel})${notQuantity}|(?![a-z\d]|\.\d))${ordinalAfter}`,
        'g',
      ),
      family: ({ tier }) => `intel-core-i${tier}`,
      generation: coreGeneration,
    },
    {
      // Ultra X7 and X9 are sold as the upper models of Ultra 7 and 9.
      pattern: new RegExp(String.raw`\bultra ?x?(?<tier>[579])\b(?!\.\d)${intelSeries}`, 'g'),
      family: ({ tier }) => `intel-core-ultra-${tier}`,
      generation: byIntelSeries,
    },
    {
      // Not the cores of `8-core 3.8 GHz`.
      pattern: new RegExp(
        String.raw`(?:(?:\bintel |^)core [3579]\b(?!\.\d| ?ghz)|\bcore [3579](?= [1-3]\d\d[hu]))${intelSeries}`,
        'g',
      ),
      family: () => 'intel-core',
      generation: byIntelSeries,
    },
    {
      pattern:
        /\b(?:intel m[357]|(?<!\d[- ])core m[357]?|m[357](?=[ -](?:[5-9]y\d\d|\d{4}y)))\b(?:[ -](?<model>[5-9])(?:y\d\d|\d{3}y))?/g,
      family: () => 'intel-core-m',
      generation: ({ model }) => `intel-${model}`,
    },
    {
      pattern: /\bintel core ?2\b(?!\.\d| ?ghz)|(?<!\d[- ])\bcore ?2 (?:duo|quad|extreme|solo)\b/g,
      family: () => 'intel-core-2',
    },
    { pattern: /\bxeon\b/g, family: () => 'intel-xeon' },
    {
      pattern: /\b(?:celeron|pentium|atom)\b|(?:\bintel |^)(?:n\d{2,4}|u300e?)\b|\bx[57]-z\d{4}/g,
      family: () => 'intel-entry',
    },
  ],
};

const amd: Maker = {
  named: /\bamd\b(?! radeon)/,
  schemes: [
    {
      pattern: new RegExp(
        String.raw`\bryzen ai\b(?! z)(?:[ -](?:[3579]|max\+?))?(?: hx)?(?: pro)?(?:[ -](?<series>[2-9])\d\d${notQuantity}|[ ,(]{1,3}(?<after>[2-9])00 series)?`,
        'g',
      ),
      family: () => 'amd-ryzen-ai',
      generation: ({ series, after }) => `ryzen-${series ?? after}00`,
    },
    {
      pattern: new RegExp(
        String.raw`\bryzen(?: pro)? ?(?<tier>[3579])\b(?:[ -]pro)?(?:[ -](?<model>[2-9]\d{3}|[1-4][1-9]0)${notQuantity}|[ ,(]{1,3}(?<after>\d00|\d000) series)?`,
        'g',
      ),
      family: ({ tier }) => `amd-ryzen-${tier}`,
      generation: ({ model, after }) => `ryzen-${model?.slice(0, 1).padEnd(model.length, '0') ?? after}`,
    },
    {
      pattern:
        /\b(?:athlon|sempron|turion|phenom)|\b(?:amd a(?:4|6|8|9|10|12)(?: pro| micro)?[ -]|a(?:4|6|8|9|10|12)(?: pro| micro)?-)\d{4}|\be[12]-\d{4}|\bamd (?:e-\d{3}|c-\d0)|\bfx-\d{4}|\bamd 30(?:15|20)c?e\b/g,
      family: () => 'amd-entry',
    },
  ],
};

const apple: Maker = {
  named: /\bapple (?:m\d|silicon)/,
  schemes: [
    {
      // `M2` alone is Apple's only where a processor is named: there are also `m3-7Y30`, `Surface Pro m3` and `M2 SSD`.
      pattern:
        /(?:^|\bapple |\bmacbook (?:air|pro)\b[^;]{0,20}?(?<!core |intel )\b)m(?<number>[1-5])(?![\w.]|-\d)(?! ?(?:ssd|nvme|sata|slot|\d\.\d|\d{1,4}y))|(?<!core |intel )\bm(?<other>[1-5])(?= (?:chip|pro|max|ultra)\b)|\bapple (?:m[6-9]?(?![\w.])|silicon)/g,
      family: () => 'apple',
      generation: ({ number, other }) => `apple-${number ?? other}`,
    },
  ],
};

const qualcomm: Maker = {
  named: /\bqualcomm\b(?! (?:atheros|wi))/,
  schemes: [
    // Microsoft's SQ1 to SQ3 are Snapdragon 8cx under another name.
    {
      pattern: /\bsnapdragon\b|\bmicrosoft sq[1-3]\b|^sq[1-3]\b|\bqualcomm s[cdm]\d{3}|\boryon\b/g,
      family: () => 'snapdragon',
    },
  ],
};

const mediatek: Maker = {
  named: /\bmediatek\b(?! wi)/,
  schemes: [{ pattern: /\bkompanio\b|\bmt8\d{3}|^mediatek\b(?! wi)/g, family: () => 'arm-entry' }],
};

/** The makers of processors. */
export const processorMakers: readonly Maker[] = [intel, amd, apple, qualcomm, mediatek];

const isGeneration = (name: string): name is ProcessorGeneration => Object.hasOwn(processorGenerations, name);
const isFamily = (name: string): name is ProcessorFamily => Object.hasOwn(processorFamilies, name);

/** The only value of a list; undefined when there are none or several. */
function only<Value>(values: readonly Value[]): Value | undefined {
  const [value, ...others] = new Set(values);
  return others.length === 0 ? value : undefined;
}

/** Without trademark signs and words that stand between the parts of a name. */
export const simplifyProcessor = (text: string): string =>
  text
    .replace(/\((?:r|tm|c)\)|[®™]/g, ' ')
    .replace(/\b(?:cpu|processors?)\b/g, ' ')
    .replace(/[‐‑‒–—]/g, '-')
    .replace(/ {2,}/g, ' ')
    .replace(/ ?- ?/g, '-')
    .trim();

/**
 * Reads the processor that a text names. A text that says who made the processor is read by the schemes of this maker only.
 * A text that names processors of several families is not understood.
 * @param text lower case, with one space between words
 */
export function readProcessor(text: string): ReadProcessor {
  const name = simplifyProcessor(text);
  const named = processorMakers.filter((maker) => maker.named.test(name));
  const makers = named.length > 0 ? named : processorMakers;
  const matches = makers.flatMap(({ schemes }) =>
    schemes.flatMap(({ pattern, family, generation }) =>
      [...name.matchAll(pattern)].map(({ groups = {} }) => ({
        family: family(groups),
        generation: generation?.(groups) ?? '',
      })),
    ),
  );
  const family = only(matches.map((match) => match.family));
  if (family === undefined || !isFamily(family)) return {};
  const generation = only(matches.map((match) => match.generation).filter(isGeneration));
  return { processor: family, ...(generation !== undefined && { generation }) };
}

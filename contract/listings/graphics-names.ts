// Reads the kind of graphics that a text names. A new line of adapters is added to the expression of its kind; the test holds
// the names of each kind against the expressions of all others.

import type { GraphicsKind } from './fact-names.ts';

type Dedicated = Exclude<GraphicsKind, 'integrated'>;

/** Names of adapters with memory of their own. Each matches only names of its kind. */
export const dedicatedGraphics: Readonly<Record<Dedicated, RegExp>> = {
  geforce:
    /\bgeforce|\bgtx\b|\bgts? ?(?!21)\d{3}m?\b|\bmx ?\d{3}\b|\b\d{3}mx\b|\brtx ?[2-5]0[5-9]0\b|\bnvidia (?:[1-5]\d[5-9]0|[6-9]\d0m)\b/,
  'nvidia-workstation':
    /\bquadro\b|\bnvs\b|\brtx ?(?:pro\b|a\d{1,4}\b|[1-6]?[05]00\b)|(?:\bnvidia |\[|^)t(?:[4-6][05]0|1[02]00|2000)\b/,
  radeon: new RegExp(
    [
      String.raw`\brx ?\d{3,4}|\brx vega m\b|\bvega (?:16|20|48|56|64)\b|\bradeon pro\b(?! graphics)`,
      // MacBooks, without the maker.
      String.raw`^(?:amd )?pro (?:4[56]\d|5[5-8]\dx?|5[356]00m)\b`,
      String.raw`\bfire(?:pro|gl)\b`,
      String.raw`\bmobility radeon (?!xpress|hd (?:3[12]|4[12])\d\d|\d{4} igp)`,
      // With an M, or of the years when only dedicated ones had these numbers. Intel's `HD 5500` has 0 in the third place.
      String.raw`\bhd ?\d{4}[am]\b|\bhd ?(?:2[3-7]|3[4-8]|4[3-8]|5[4-9])[1-9]0\b|\bradeon hd (?:2[3-7]|3[4-8]|4[3-8]|5[4-9])00\b`,
      String.raw`\br[579] ?m\d{3}`,
      String.raw`\bradeon (?:5[2-5]|6[1-3])[05]x?\b`,
    ].join('|'),
  ),
  arc: /\barc (?:pro )?a\d{2,3}m?\b|\barc b5\d0\b/,
};

/** AMD's adapters in processors, by their names and by the names of their chips, which `lspci` gives. */
const integratedRadeon = new RegExp(
  [
    String.raw`\bradeon (?:hd )?graphics\b|\bvega\b|\b(?:radeon|amd) (?:610|6[68]0|7[468]0|8[2468]0|890)m\b|\b80[4-6]0s\b`,
    String.raw`\br[2-8]e?(?: graphics| series|\/r\d)|\bradeon r[2-8]\b(?! ?m?\d)`,
    String.raw`\bhd ?[678]\d{3}[dg]\b|\bradeon hd (?:3[1-3]|4[12]|62|63|7290|73[14]|8[1-3]|840)\d{0,2}e?\b|\bxpress\b|\bigp\b`,
    String.raw`\b(?:raven|picasso|dali|renoir|lucienne|cezanne|barcelo|rembrandt|mendocino|phoenix|hawk ?point|strix|krackan|raphael)\d?\b`,
    String.raw`\b(?:wrestler|trinity|richland|kabini|mullins|kaveri|carrizo|wani|stoney)\b`,
  ].join('|'),
);

const integrated =
  /\bintegrated\b|\bigpu\b|\bintel\b|\biris\b|\buhd\b|\bhd (?:graphics|[2-6]\d{2,3})\b|\bxe\b|\barc (?:graphics|1[34]0[tv])\b|\badreno\b|\bmali\b|\bapple\b|-core gpu\b/;

/** An adapter that may have memory of its own: only its maker or number is known. Intel calls both kinds Arc and Xe. */
const unclear =
  /\bnvidia\b|\b(?<!no |not |non-|without )(?:dedicated|discrete)\b|\bdevice \[?[\da-f]{4}\b|\b[\da-f]{4}:[\da-f]{4}\b|\bxe max\b|\bdg1\b|\barc\b(?! (?:graphics|(?:pro )?1[34]0[tv]|b3\d0))/;

const withoutTrademarks = (text: string) =>
  text
    .replace(/\((?:r|tm|c)\)|[®™]/g, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();

/** Reads the dedicated adapter that a text names. @returns undefined for none, and for several of different kinds */
export function readDedicatedGraphics(text: string): Dedicated | undefined {
  const name = withoutTrademarks(text);
  const kinds = (Object.keys(dedicatedGraphics) as Dedicated[]).filter((kind) =>
    dedicatedGraphics[kind].test(name),
  );
  return kinds.length === 1 ? kinds[0] : undefined;
}

/**
 * Reads the text of the field Graphics. Of an integrated and a dedicated adapter the dedicated one counts, because buyers look
 * for it.
 * @param text lower case, with one space between words
 */
export function readGraphics(text: string): GraphicsKind | undefined {
  const name = withoutTrademarks(text);
  const isDedicated = Object.values(dedicatedGraphics).some((pattern) => pattern.test(name));
  if (isDedicated) return readDedicatedGraphics(text);
  if (unclear.test(name)) return undefined;
  const hasRadeon = integratedRadeon.test(name);
  // `Intel UHD, AMD Radeon`: the second one may be dedicated.
  if (/\bradeon\b/.test(name) && !hasRadeon) return undefined;
  return hasRadeon || integrated.test(name) ? 'integrated' : undefined;
}

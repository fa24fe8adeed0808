/**
 * The scripts that are recommended for identifiers (UAX 31, table 5), without Common and Inherited, which all of them share.
 */
const scripts = [
  ...['Arab', 'Armn', 'Beng', 'Bopo', 'Cyrl', 'Deva', 'Ethi', 'Geor', 'Grek', 'Gujr', 'Guru', 'Hang', 'Hani'],
  ...['Hebr', 'Hira', 'Kana', 'Knda', 'Khmr', 'Laoo', 'Latn', 'Mlym', 'Mymr', 'Orya', 'Sinh', 'Taml', 'Telu'],
  ...['Thaa', 'Thai', 'Tibt'],
];

/** The scripts that are written together in one text: Japanese, Chinese with Bopomofo, Korean; each beside Latin. */
const mixtures = [
  ['Latn', 'Hani', 'Hira', 'Kana'],
  ['Latn', 'Hani', 'Bopo'],
  ['Latn', 'Hani', 'Hang'],
];

/** Matches texts that use these scripts only. Characters that several scripts share count as each (Script_Extensions). */
const writtenIn = (names: readonly string[]): RegExp =>
  new RegExp(`^[${names.map((name) => `\\p{scx=${name}}`).join('')}\\p{scx=Zyyy}\\p{scx=Zinh}]*$`, 'u');

const allowedTexts = [...mixtures, ...scripts.map((script) => [script])].map(writtenIn);

/**
 * Whether a text mixes no scripts, by the restriction level “highly restrictive” of UTS 39, 5.2. Signs of no script, such as
 * digits and hyphens, are left to the skeleton.
 */
const isHighlyRestrictive = (text: string): boolean => allowedTexts.some((pattern) => pattern.test(text));

/**
 * Characters that are read as another one, in lower case and without marks: letters of Latin that have no decomposition, letters of
 * Cyrillic and Greek that look or sound like it, digits and signs. Shorter than Unicode’s list of confusables, because a name
 * cannot mix scripts: what remains are names in Latin, and words that Cyrillic and Greek can write as a whole.
 */
const lookAlikes: Readonly<Record<string, string>> = {
  a: 'а@4ɑᴀαª',
  b: 'в8ʙβ',
  c: 'сᴄƈȼꞓ¢©ςϲ',
  d: 'ԁđɖɗᴅ',
  e: 'е3ᴇɛəǝҽє€ɇε',
  f: 'ƒꜰ',
  g: 'ɡɢ',
  h: 'һнħʜη',
  i: 'і1l|!ıɩɪłɫιӏиľ',
  k: 'кᴋκ',
  m: 'мᴍɱμ',
  n: 'пɴŋ',
  o: 'о0øɵᴏοσө',
  p: 'ᴘ',
  q: 'ԛ',
  r: 'гр®ʀɽɼɾργ',
  s: 'ѕ$5ꜱ',
  t: '7т†ŧᴛτ',
  u: 'ᴜυ',
  v: 'ѵᴠν',
  w: 'ѡԝωᴡ',
  y: 'уʏү',
  z: 'ᴢζ',
  ae: 'æ',
  oe: 'œ',
  oo: 'ꝏ∞',
};

const readAs: ReadonlyMap<string, string> = new Map(
  Object.entries(lookAlikes).flatMap(([letter, others]) => [...others].map((other) => [other, letter])),
);

/** The blocks of letters in boxes and circles without a decomposition, by the code point of their A. */
const enclosedAlphabets = [0x1f150, 0x1f170, 0x1f1e6];

function latinLetter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const start = enclosedAlphabets.find((first) => code >= first && code < first + 26);
  if (start !== undefined) return latinLetter(String.fromCharCode(0x61 + code - start));
  return readAs.get(character) ?? character;
}

/** Marks, and characters that show nothing. */
const unseen = /[\p{M}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * Reduces a text to what a hurried reader sees, as the skeleton of UTS 39, 4: two texts with the same one are confusable. It keeps
 * spaces and signs.
 */
export function skeleton(text: string): string {
  const letters = text.normalize('NFKD').toLowerCase().normalize('NFKD').replace(unseen, '');
  return [...letters].map(latinLetter).join('').replaceAll('rn', 'm');
}

const notLetters = /[^\p{L}]+/gu;

/** The letters of a name, and how often each follows itself at most: `coomercio` has two o. */
function lettersOf(name: string): { letters: string; runs: ReadonlyMap<string, number> } {
  const letters = skeleton(name).replace(notLetters, '');
  const runs = new Map<string, number>();
  for (const [run] of letters.matchAll(/(.)\1*/gu)) {
    const letter = run.slice(0, 1);
    runs.set(letter, Math.max(runs.get(letter) ?? 1, run.length));
  }
  return { letters, runs };
}

/** A name of fewer letters is a word that many texts have, or a part of one. */
const LEAST_LETTERS = 6;

/** A name of fewer letters is not looked for behind other characters. */
const LEAST_LETTERS_WITH_GAPS = 8;

/** Whether a text has the shop’s name, with any characters besides a to z in place of some of its letters. */
function hasNameWithGaps(text: string, { letters, runs }: ReturnType<typeof lettersOf>): boolean {
  const longest = Math.max(...runs.values());
  const read = text
    .replace(/[^a-z]/gu, '?')
    .replace(/(.)\1+/g, (run, letter: string) =>
      letter.repeat(Math.min(run.length, letter === '?' ? longest : (runs.get(letter) ?? 1))),
    );
  return Array.from(read, (_, at) => read.slice(at, at + letters.length)).some((part) => {
    const same = [...letters].filter((letter, at) => letter === part[at]).length;
    const gaps = [...part].filter((letter) => letter === '?').length;
    return same >= Math.ceil(letters.length / 2) && same + gaps === letters.length;
  });
}

/**
 * Whether a text contains the shop’s name, also spaced out, with letters repeated, in letters that look like it, or with signs in place
 * of letters. Nothing does when the name has fewer than {@link LEAST_LETTERS} letters.
 * @param shop the shop's name
 */
export function namesTheShop(text: string, shop: string): boolean {
  const name = lettersOf(shop);
  if (name.letters.length < LEAST_LETTERS) return false;
  const read = skeleton(text);
  // Not “comércio” for “coomercio”: it has one o and is a word.
  const repeated = name.letters.replace(/(\p{L})\1*/gu, (run, letter: string) => `${letter}{${run.length},}`);
  if (new RegExp(repeated, 'u').test(read.replace(notLetters, ''))) return true;
  if (name.letters.length < LEAST_LETTERS_WITH_GAPS || !/^[a-z]+$/.test(name.letters)) return false;
  return (
    hasNameWithGaps(read.replace(/\s+/gu, ''), name) ||
    hasNameWithGaps(read.replace(/[\s\p{P}]+/gu, ''), name)
  );
}

const skeletons = (words: string) => words.split(' ').map((word) => skeleton(word));

/** Words for those who speak for a shop, and words that go with them. A name of these alone is nobody’s. */
const officeWords = new Set(
  skeletons(
    'account accounts admin admins administrator billing care certified compliance complaints department desk disputes escrow fraud help helpdesk inspection inspector manager moderator moderators official payment payments payout payouts postmaster refund refunds root safety security service shop staff support system team verified webmaster',
  ),
);
const besideOffice = new Set(
  skeletons('a and buyer client comercio customer former marketplace of our seller store the trust your'),
);

/** Whether a word is one of these, also with a number beside it. */
const isWordOf = (words: ReadonlySet<string>, word: string) =>
  words.has(skeleton(word)) || words.has(skeleton(word.replace(/\p{Nd}/gu, '')));

function isOffice(name: string): boolean {
  const words = name.split(/[^\p{L}\p{M}\p{Nd}]+/u).filter((word) => /\p{L}/u.test(word));
  return (
    words.some((word) => isWordOf(officeWords, word)) &&
    words.every((word) => isWordOf(officeWords, word) || isWordOf(besideOffice, word))
  );
}

/** The words of the badge that the shop shows beside a name. */
const badge = skeleton('verifiedseller');

/**
 * The characters of names: letters, their marks, digits, spaces, the joiners of Persian and Indic scripts, and the signs of
 * `O’Neill`, `Jean-Luc`, `J. R. Smith, Lda`, `Müller & Söhne`, `Ann (Lisbon)`, `ann_2`, `Paral·lel`, `ジョン・スミス` and `צ׳ארלס`.
 */
const nameCharacters = /^[\p{L}\p{M}\p{Nd} .,&'’‘·・׳״()_#/\p{Join_Control}-]*$/u;

/** More marks than any writing has on one letter: two that all scripts share, or four of one script, as Burmese has. */
const stackedMarks = /(?:(?=\p{sc=Zinh})\p{M}){3}|\p{M}{5}/u;

/**
 * One fewer than the shortest telephone numbers have with an area code. One number in one piece may be longer, as in `buyer1764198000`:
 * nobody writes a telephone number so.
 */
const MAXIMUM_DIGITS = 6;
const MAXIMUM_DIGITS_IN_ONE_PIECE = 16;

function looksLikeTelephoneNumber(name: string): boolean {
  const pieces = name.match(/\p{Nd}+/gu) ?? [];
  return pieces.join('').length > (pieces.length === 1 ? MAXIMUM_DIGITS_IN_ONE_PIECE : MAXIMUM_DIGITS);
}

/** More words than this are a sentence. Long Portuguese names have eight. */
const MAXIMUM_WORDS = 8;

/** Why a text is not written as the names of people are; null when it is. */
function formRefusal(name: string): string | null {
  if (!nameCharacters.test(name)) {
    return 'A name has letters, digits, spaces and the signs . , - _ ’ & ( ) # / only. Please leave other signs out';
  }
  if (!/\p{L}/u.test(name)) return 'A name has letters. Please write yours';
  if (stackedMarks.test(name.normalize('NFC'))) {
    return 'This name has more accents on one letter than can be shown. Please leave some out';
  }
  if (looksLikeTelephoneNumber(name)) {
    return `A name has at most ${MAXIMUM_DIGITS} digits, so that nobody takes it for a telephone number`;
  }
  if (name.split(/\s+/u).length > MAXIMUM_WORDS) {
    return `A name has at most ${MAXIMUM_WORDS} words. Please write a shorter one`;
  }
  return null;
}

/**
 * Why a person cannot have this name, as a sentence for them without its full stop; null when they can. The identity provider and the
 * shop ask the same.
 * @param name of at most 100 characters
 * @param shop the shop's name
 */
export function nameRefusal(name: string, shop: string): string | null {
  if (namesTheShop(name, shop) || isOffice(name) || skeleton(name).replace(notLetters, '').includes(badge)) {
    return 'This name could be taken for the shop itself. Please choose another one';
  }
  if (!isHighlyRestrictive(name)) {
    return 'This name mixes letters of different alphabets, or has letters that are hard to tell from others. Please write it in one alphabet';
  }
  return formRefusal(name);
}

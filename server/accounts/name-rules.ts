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
  oo: 'ꝏ',
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
function skeleton(text: string): string {
  const letters = text.normalize('NFKD').toLowerCase().normalize('NFKD').replace(unseen, '');
  return [...letters].map(latinLetter).join('').replaceAll('rn', 'm');
}

const notLetters = /[^\p{L}]+/gu;

/** The shop’s name, with letters repeated at will. Not “comércio”, which has one o and is a word. */
const shopName = /coo+m+e+r+c+i+o/;

const skeletons = (words: string) => words.split(' ').map((word) => skeleton(word));

/** Words for those who speak for a shop, and words that go with them. A name of these alone is nobody’s. */
const officeWords = new Set(
  skeletons('official support admin admins administrator moderator verified service helpdesk security staff'),
);
const besideOffice = new Set(
  skeletons(
    'the of a and shop store team seller buyer customer care client help desk account accounts payment payments',
  ),
);

function isOffice(text: string): boolean {
  const words = skeleton(text)
    .split(notLetters)
    .filter((word) => word !== '');
  return (
    words.some((word) => officeWords.has(word)) &&
    words.every((word) => officeWords.has(word) || besideOffice.has(word))
  );
}

/** Whether a text contains the shop’s name, also spaced out or in letters that look like it. */
export const namesTheShop = (text: string): boolean => shopName.test(skeleton(text).replace(notLetters, ''));

/** Why a person cannot have this name, as a sentence for them; null when they can. @param name of at most 100 characters */
export function nameObjection(name: string): string | null {
  if (!isHighlyRestrictive(name)) {
    return 'This name mixes letters of different alphabets, or has letters that are hard to tell from others. Please write it in one alphabet';
  }
  if (namesTheShop(name) || isOffice(name)) {
    return 'This name could be taken for the shop itself. Please choose another one';
  }
  return null;
}

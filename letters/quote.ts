/** Whose text is quoted, or who is written to: an account of the shop or of the identity provider. */
export interface Account {
  name: string;
  email: string;
  /** Whether the person has proven to receive mail at `email`; until then anybody may have typed the name. */
  emailVerified: boolean;
}

/** What hides or reorders words in one line: control characters, line breaks, bidirectional controls. */
const invisible = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/** Text on one line without characters that hide or reorder words. */
export function oneLine(text: string): string {
  return text.replace(invisible, ' ').replace(/\s+/g, ' ').trim();
}

/** Dots that a mail program takes for part of an address: those with at least two letters right behind. */
const dotOfAddress = /[.。．｡](?=\p{L}{2})/gu;

/** Text on one line in which no mail program finds an address to open: `www[.]example[.]com`. */
export function disarm(text: string): string {
  return oneLine(text).replaceAll('://', '[://]').replace(dotOfAddress, '[.]');
}

/**
 * What a letter may say of a text that somebody typed. A letter carries no words of a person whose address is not
 * proven: whoever registers a stranger's address, or any at all, could have the shop send advertisements.
 * @param instead said in place of the words of an unproven author
 */
export function quote(author: Pick<Account, 'emailVerified'>, text: string, instead: string): string {
  return author.emailVerified ? disarm(text) : instead;
}

/** The author of quoted text or the recipient of an email: an account of the shop or of the identity provider. */
export interface Account {
  name: string;
  email: string;
  /** Until this is true, somebody other than the owner of `email` may have typed the name. */
  emailVerified: boolean;
}

const controlCharacters = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/** Replaces line breaks, control characters and bidirectional controls by single spaces, and trims. */
export function toSingleLine(text: string): string {
  return text.replace(controlCharacters, ' ').replace(/\s+/g, ' ').trim();
}

/** A dot followed by two letters: mail programs turn `www.example` into a link. */
const dotInHostName = /[.。．｡](?=\p{L}{2})/gu;

/** Converts text to one line without recognizable links: `www[.]example[.]com`. */
export function defangLinks(text: string): string {
  return toSingleLine(text).replaceAll('://', '[://]').replace(dotInHostName, '[.]');
}

/**
 * Returns a user's text for use in an email, without links. An email carries no text of an author whose address is
 * not verified: anybody could register a stranger's address and have the shop send advertisements to it.
 * @param fallback used instead of the text of an unverified author
 */
export function quoteIfVerified(
  author: Pick<Account, 'emailVerified'>,
  text: string,
  fallback: string,
): string {
  return author.emailVerified ? defangLinks(text) : fallback;
}

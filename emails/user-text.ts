/** The owner of a name or the recipient of an email: an account of the shop or of the identity provider. */
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

/**
 * Inserts a space into each `=?`, which begins an encoded word (RFC 2047, 2). Mail programs would show what it decodes to; nodemailer sends
 * well-formed ones as they are.
 */
export function breakEncodedWords(header: string): string {
  return header.replaceAll('=?', '= ?');
}

/** A dot followed by two letters: mail programs turn `www.example` into a link. */
const dotInHostName = /[.。．｡](?=\p{L}{2})/gu;

/** Converts text to one line without recognizable links: `www[.]example[.]com`. */
export function defangLinks(text: string): string {
  return toSingleLine(text).replaceAll('://', '[://]').replace(dotInHostName, '[.]');
}

/**
 * Returns a name that a user typed, of a person, a laptop or a saved search, for use in an email, without links. These names are the
 * only words of users in emails: they are short, cannot contain the shop's name, and say what the email is about. Other texts, such
 * as messages and places, are shown in the shop only, where it is clear who wrote them.
 *
 * An email carries no name by somebody whose address is not verified: anybody could register a stranger's address and have the shop
 * send advertisements to it.
 * @param fallback used instead of the name by an unverified user
 */
export function nameIfVerified(user: Pick<Account, 'emailVerified'>, name: string, fallback: string): string {
  return user.emailVerified ? defangLinks(name) : fallback;
}

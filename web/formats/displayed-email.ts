// By its path: 'punycode' is a deprecated module of Node.
import punycode from 'punycode/punycode.js';

/** An email address with an international domain as its owner writes it, for texts only: accounts have the ASCII form (RFC 3492). */
export const displayedEmail = (address: string): string => punycode.toUnicode(address);

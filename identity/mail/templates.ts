import { renderEmail as dress, type RenderedEmail } from '#emails/email.ts';
import type { Account } from '#emails/user-text.ts';

/** A message to one person, ready to be sent. */
export type Mail = Readonly<RenderedEmail>;

export const letterKinds = [
  'verify-email',
  'reset-password',
  'password-changed',
  'second-factor-added',
  'second-factor-removed',
  'second-factor-reset',
  'new-device',
] as const;
export type LetterKind = (typeof letterKinds)[number];

interface Wording {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  readonly action: { readonly label: string; readonly path: string };
}

const beware =
  'If that was not you, somebody else can use your account: set a new password at once with “Forgot your password?” on the login page.';

const account = { label: 'Look at your account', path: '/dashboard/account' };

const wordings: Readonly<Record<LetterKind, Wording>> = {
  'verify-email': {
    subject: 'Is this your e-mail address?',
    paragraphs: [
      'Somebody, hopefully you, has registered at Coomercio with this e-mail address. Please confirm that it is yours. The link works once, within a day.',
      'Confirm in the browser you registered in to keep your password. In any other browser, the password and sign-ins that were set up before stop working, and you choose a password there.',
      'If you did not register, you can ignore this letter: the address then stays unconfirmed.',
    ],
    action: { label: 'Confirm this address', path: '/verify-email' },
  },
  'reset-password': {
    subject: 'Choose a new password',
    paragraphs: [
      'Somebody, hopefully you, has asked for a new password for your account at Coomercio. The link works once, within an hour. A new password signs you out everywhere.',
      'If you did not ask, do nothing: your password stays as it is.',
    ],
    action: { label: 'Choose a new password', path: '/reset-password' },
  },
  'password-changed': {
    subject: 'Your password was changed',
    paragraphs: ['The password of your account at Coomercio has just been changed.', beware],
    action: account,
  },
  'second-factor-added': {
    subject: 'A second factor was added',
    paragraphs: [
      'An authenticator app or a passkey has just been added to your account at Coomercio. Your password alone no longer signs in.',
      beware,
    ],
    action: account,
  },
  'second-factor-removed': {
    subject: 'A second factor was removed',
    paragraphs: [
      'An authenticator app or a passkey has just been removed from your account at Coomercio.',
      beware,
    ],
    action: account,
  },
  'new-device': {
    subject: 'A sign-in from a new device',
    paragraphs: [
      'Somebody, hopefully you, has just signed in to your account at Coomercio with a device or browser that was not used for it before.',
      beware,
    ],
    action: account,
  },
  'second-factor-reset': {
    subject: 'Your second factor was reset',
    paragraphs: [
      'Whoever runs Coomercio has taken every authenticator app, passkey and recovery code off your account, because somebody said that you have lost yours. You are signed out everywhere, and your password alone signs in again. Please set up a new second factor.',
      'If you did not ask for this, somebody has pretended to be you: set a new password at once with “Forgot your password?” on the login page, set up a second factor, and write to the shop.',
    ],
    action: account,
  },
};

/** For how long the link in a letter works, in minutes; letters that are not here carry none. */
export const linkMinutes = {
  'verify-email': 24 * 60,
  'reset-password': 60,
} as const satisfies Partial<Record<LetterKind, number>>;

/** The letters that carry a link which works once. */
export type LinkKind = keyof typeof linkMinutes;

/** Whether a letter carries such a link. */
export const hasLink = (kind: LetterKind): kind is LinkKind => kind in linkMinutes;

/**
 * A letter in text and in HTML that says the same.
 * @param letter.token what the link carries: after `#`, which browsers send to nobody
 */
export function renderEmail(letter: {
  kind: LetterKind;
  to: Account;
  shopOrigin: string;
  token: string | null;
}): Mail {
  const { subject, paragraphs, action } = wordings[letter.kind];
  const url = `${letter.shopOrigin}${action.path}${letter.token === null ? '' : `#${letter.token}`}`;
  return dress({ to: letter.to, subject, paragraphs, action: { label: action.label, url } });
}

import { type EmailShop, type RenderedEmail, renderEmail } from '#emails/email.ts';

export const emailKinds = [
  'verify-email',
  'reset-password',
  'password-changed',
  'second-factor-added',
  'second-factor-removed',
  'second-factor-reset',
  'recovery-codes-renewed',
  'google-linked',
  'new-device',
] as const;
export type EmailKind = (typeof emailKinds)[number];

interface Template {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  readonly action: { readonly label: string; readonly path: string };
}

const compromiseWarning =
  'If that was not you, somebody else can use your account: set a new password at once with “Forgot your password?” on the login page.';

const accountPage = { label: 'Look at your account', path: '/dashboard/account' };

const templatesOf = (shop: string): Readonly<Record<EmailKind, Template>> => ({
  'verify-email': {
    subject: 'Is this your email address?',
    paragraphs: [
      `Somebody, hopefully you, has registered at ${shop} with this email address. Please confirm that it is yours. The link works once, within a day.`,
      'Confirm in the browser you registered in to keep your password. In any other browser, the password and sign-ins that were set up before stop working, and you choose a password there.',
      'If you did not register, ignore this email. The address then stays unconfirmed.',
    ],
    action: { label: 'Confirm this address', path: '/verify-email' },
  },
  'reset-password': {
    subject: 'Choose a new password',
    paragraphs: [
      `Somebody, hopefully you, has asked for a new password for your account at ${shop}. The link works once, within an hour. A new password signs you out everywhere.`,
      'If you did not ask, do nothing: your password stays as it is.',
    ],
    action: { label: 'Choose a new password', path: '/reset-password' },
  },
  'password-changed': {
    subject: 'Your password was changed',
    paragraphs: [`The password of your account at ${shop} has just been changed.`, compromiseWarning],
    action: accountPage,
  },
  'second-factor-added': {
    subject: 'A second factor was added',
    paragraphs: [
      `An authenticator app or a passkey has just been added to your account at ${shop}. Your password alone no longer signs in.`,
      compromiseWarning,
    ],
    action: accountPage,
  },
  'second-factor-removed': {
    subject: 'A second factor was removed',
    paragraphs: [
      `An authenticator app or a passkey has just been removed from your account at ${shop}.`,
      compromiseWarning,
    ],
    action: accountPage,
  },
  'recovery-codes-renewed': {
    subject: 'Your recovery codes were replaced',
    paragraphs: [
      `New recovery codes have just been made for your account at ${shop}. The ones before no longer work.`,
      compromiseWarning,
    ],
    action: accountPage,
  },
  'google-linked': {
    subject: 'Google now signs in to your account',
    paragraphs: [
      `Somebody, hopefully you, has just signed in to your account at ${shop} with a Google account that has this address. From now on it signs in, as your password does.`,
      compromiseWarning,
    ],
    action: accountPage,
  },
  'new-device': {
    subject: 'A sign-in from a new device',
    paragraphs: [
      `Somebody, hopefully you, has just signed in to your account at ${shop} with a device or browser that was not used for it before.`,
      compromiseWarning,
    ],
    action: accountPage,
  },
  'second-factor-reset': {
    subject: 'Your second factor was reset',
    paragraphs: [
      `The operators of ${shop} have removed every authenticator app, passkey and recovery code from your account, because somebody told them that you lost yours. You are signed out everywhere, and your password alone signs in again. Please set up a new second factor.`,
      'If you did not ask for this, somebody else did so in your name. Set a new password at once with “Forgot your password?” on the login page, set up a second factor, and write to the shop.',
    ],
    action: accountPage,
  },
});

/** Minutes until the link in an email expires. The kinds that are not listed carry no such link. */
export const linkMinutes = {
  'verify-email': 24 * 60,
  'reset-password': 60,
} as const satisfies Partial<Record<EmailKind, number>>;

/** The kinds of email that carry a link with a single-use token. */
export type LinkKind = keyof typeof linkMinutes;

export const hasLink = (kind: EmailKind): kind is LinkKind => kind in linkMinutes;

/**
 * Renders an email of the identity provider.
 * @param email.token follows `#` in the link, so that browsers send it to no server
 */
export function renderTemplate(email: {
  kind: EmailKind;
  to: string;
  shopOrigin: string;
  token: string | null;
  shop: EmailShop;
}): RenderedEmail {
  const { subject, paragraphs, action } = templatesOf(email.shop.name)[email.kind];
  const url = `${email.shopOrigin}${action.path}${email.token === null ? '' : `#${email.token}`}`;
  return renderEmail(
    { to: { email: email.to }, subject, paragraphs, action: { label: action.label, url } },
    email.shop,
  );
}

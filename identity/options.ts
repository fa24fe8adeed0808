import { defaultShopSettings } from '#contract/platform/shop-settings.ts';
import { theme } from '#contract/platform/theme.ts';
import type { EmailShop } from '#emails/email.ts';
import type { GoogleOptions } from './google/openid-provider.ts';
import type { MailOptions } from './mail/emails.ts';
import type { PasswordOptions } from './passwords/password-check.ts';

/** The path below the origin under which the provider serves everything. */
export const BASE_PATH = '/identity';

/** Configuration of the identity provider. */
export interface IdentityOptions {
  /** PostgreSQL. The provider creates and migrates its own schema `identity` in this database. */
  readonly databaseUrl: string;
  /** Whether the schema is created and migrated at start, which is the default. Otherwise it must be current. */
  readonly migrate?: boolean;
  /** Public origin, such as `https://shop.example`; the issuer is this and `/identity`. */
  readonly origin: string;
  /** Origins of pages that may sign users in, in addition to `origin`. */
  readonly trustedOrigins: readonly string[];
  /** Signs session tokens and encrypts the private keys in the database. It must stay the same across restarts. */
  readonly secret: string;
  /** The secret before the current one, still valid for existing tokens and keys. Keep it for 30 days, the lifetime of a session. */
  readonly previousSecret?: string;
  /** The bearer token with which the shop's server disables, resets and erases accounts. */
  readonly serviceSecret: string;
  /**
   * The shop's endpoint for OpenID Connect Back-Channel Logout 1.0. Without it, the ID tokens of an ended session stay
   * valid until they expire.
   */
  readonly logoutUrl?: string;
  readonly google?: GoogleOptions;
  /** Whether sign-ins, sign-ups and emails are limited by account and IP address. Default false. */
  readonly rateLimit?: boolean;
  /** How the shop presents itself at the moment: in emails, authenticator apps and passkeys. Default: as a fresh one. */
  readonly shop?: () => EmailShop;
  /** Without it, no email is sent: passwords cannot be reset and addresses cannot be verified by email. */
  readonly mail?: MailOptions;
  readonly passwords?: PasswordOptions;
}

/** How a fresh shop presents itself. */
export const freshShop: EmailShop = { name: defaultShopSettings.name, footer: [], theme };

import type { GoogleOptions } from './google/openid-provider.ts';
import type { MailOptions } from './mail/delivery.ts';
import type { PasswordOptions } from './passwords/password-check.ts';

/** What an identity provider is made from. */
export interface IdentityOptions {
  /** PostgreSQL; the provider makes and keeps its own schema `identity` there. */
  readonly databaseUrl: string;
  /** Public origin, such as `https://shop.example`; the issuer is this and `/identity`. */
  readonly origin: string;
  /** Origins of pages that may sign people in, beside `origin` itself. */
  readonly trustedOrigins: readonly string[];
  /** Signs session tokens and encrypts the private keys in the database: it must outlive restarts. */
  readonly secret: string;
  /** The secret before this one: what it signed or sealed still counts. Sign-ins last 30 days, so that is how long. */
  readonly previousSecret?: string;
  /** What the shop's server shows to disable accounts. */
  readonly serviceSecret: string;
  /**
   * Where the shop's server is told that a session has ended (OpenID Connect Back-Channel Logout 1.0). Without it
   * ID tokens that are out already are good until they expire.
   */
  readonly logoutUrl?: string;
  readonly google?: GoogleOptions;
  /** Whether sign-ins, sign-ups and letters are limited by account and by address. Default false. */
  readonly rateLimit?: boolean;
  /** Without it no letters are sent: no password can be reset and no address proven by mail. */
  readonly mail?: MailOptions;
  readonly passwords?: PasswordOptions;
}

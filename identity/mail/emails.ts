import * as z from 'zod/mini';
import type { EmailShop, RenderedEmail } from '#emails/email.ts';
import { type Quota, type QuotaStore, quotaKey } from '#rate-limits/quotas.ts';
import type { AccountStore } from '../accounts/account-store.ts';
import type { EmailLinks } from './links.ts';
import { type EmailKind, emailKinds, hasLink, renderTemplate } from './templates.ts';

/** An email that is due. The token of its link is created on sending: a copy of the outbox contains no valid link. */
export const DueEmail = z.object({ kind: z.enum(emailKinds), userId: z.string() });
export type DueEmail = z.infer<typeof DueEmail>;

/** Keeps due emails until they are sent, also across restarts. */
export interface Outbox {
  add(email: DueEmail): Promise<void>;
  /**
   * Declares what sends an email.
   * @param send runs again later if it throws
   */
  handle(send: (email: DueEmail, id: string) => Promise<void>): void;
}

export interface MailOptions {
  readonly outbox: Outbox;
  /** Sends an email. @throws Error when it has to be sent again later */
  send(email: RenderedEmail & { id: string }): Promise<void>;
  /** Origin of the pages that links lead to. Default: the provider's own origin. */
  readonly shopOrigin?: string;
}

const MINUTE: Quota = { count: 1, seconds: 60 };
const HOUR: Quota = { count: 5, seconds: 3600 };
const HOUR_OF_NETWORK: Quota = { count: 2, seconds: 3600 };

/** The id of no account. */
const NOBODY = '';

/** Creates what sends the emails of the identity provider. */
export function createEmails(
  { outbox, send, shopOrigin, shop }: MailOptions & { shopOrigin: string; shop: () => EmailShop },
  { accounts, links, quotas }: { accounts: AccountStore; links: EmailLinks; quotas: QuotaStore },
) {
  outbox.handle(async ({ kind, userId }, id) => {
    const user = await accounts.findUser({ id: userId });
    if (user === null) return;
    const token = hasLink(kind) ? await links.issue(kind, userId) : null;
    await send({ ...renderTemplate({ kind, to: user.email, token, shopOrigin, shop: shop() }), id });
  });

  return {
    /**
     * Queues an email about an event of an account. An unconfirmed address may be a stranger's and gets none, unless the
     * operators caused it. Each kind has a quota of its own, so that causing many of one kind does not suppress another.
     */
    async notify(kind: EmailKind, userId: string): Promise<void> {
      const user = await accounts.findUser({ id: userId });
      if (user === null || !(user.emailVerified || kind === 'second-factor-reset')) return;
      const key = quotaKey(`email ${kind}`, 'notices', userId);
      if ((await quotas.take([{ key, ...HOUR }])) === null) await outbox.add({ kind, userId });
    },

    /**
     * Queues an email that somebody requested. Per account and kind, clients that the account knows have one quota:
     * one a minute, five an hour. All other clients share another of the same size, of which one network may use two
     * an hour. The same happens for an unknown address, so that the time taken does not reveal it.
     * @param network hash of the requesting network; null when the account knows the client
     * @returns whether its quota allowed it
     */
    async request(kind: EmailKind, email: string, network: Buffer | null): Promise<boolean> {
      const requester = network === null ? 'known clients' : network.toString('hex');
      const group = network === null ? 'known clients' : 'other clients';
      const limits: readonly (readonly [scope: string, quota: Quota])[] = [
        [`minute of ${requester}`, MINUTE],
        ...(network === null ? [] : [[`hour of ${requester}`, HOUR_OF_NETWORK] as const]),
        [`hour of ${group}`, HOUR],
      ];
      for (const [scope, quota] of limits) {
        // One after another: a request that the minute refuses does not use up the hour.
        const key = quotaKey(`email ${kind}`, scope, email);
        if ((await quotas.take([{ key, ...quota }])) !== null) return false;
      }
      const user = await accounts.findUser({ email });
      await outbox.add({ kind, userId: user?.disabled === false ? user.id : NOBODY });
      return true;
    },
  };
}

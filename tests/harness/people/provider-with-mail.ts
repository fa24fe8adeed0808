import { type RunningProvider, startProvider } from '#identity/testing/provider.ts';
import { type Inbox, startInbox } from './inbox.ts';

/** Origin of the shop's pages, to which links in emails lead. */
export const SHOP_ORIGIN = 'http://pages.example';

/** Subjects of the emails with a link. */
export const VERIFICATION_SUBJECT = 'Is this your email address?';
export const RESET_SUBJECT = 'Choose a new password';

/** An identity provider whose emails arrive in an inbox. */
export interface ProviderWithMail {
  readonly provider: RunningProvider;
  readonly inbox: Inbox;
  /** Returns the token in the link of the latest email with a subject. Waits until it arrives. */
  readLinkToken(email: string, subject: string): Promise<string>;
  stop(): Promise<void>;
}

/** Starts an identity provider and an inbox for its emails. */
export async function startProviderWithMail(): Promise<ProviderWithMail> {
  const inbox = await startInbox();
  const provider = await startProvider({
    mail: { smtpUrl: inbox.smtpUrl, shopOrigin: SHOP_ORIGIN },
  });
  return {
    provider,
    inbox,
    async readLinkToken(email, subject) {
      const { text } = await inbox.waitForEmail(email, subject);
      return /#([\w-]+)/.exec(text ?? '')?.[1] ?? '';
    },
    async stop() {
      await provider.stop();
      await inbox.close();
    },
  };
}

let accountCount = 0;

/** Returns an address that no account has yet. */
export const newEmail = () => `reader${++accountCount}@mail.example`;

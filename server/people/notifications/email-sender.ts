import type { RenderedEmail } from '#emails/email.ts';

/** An email to one recipient. */
export interface EmailMessage extends RenderedEmail {
  /** For emails of a subscription. */
  unsubscribe?: {
    /** An HTTPS URL that stops these emails when a mail program sends a POST to it (RFC 8058). */
    url: string;
  };
  /** Identifies the email when it is sent again, so that mail programs show it once: letters, digits, hyphens. */
  id?: string;
}

export interface EmailSender {
  /**
   * Sends an email. One whose recipient the server refuses for good is given up.
   * @throws Error when the server rejects it for now, or cannot be reached
   */
  send(message: EmailMessage): Promise<void>;
  /** Sends an email. @throws Error when the server rejects it, also for good, or cannot be reached */
  deliver(message: EmailMessage): Promise<void>;
  /** Connects and signs in without sending anything. @throws Error when that fails */
  verify(): Promise<void>;
  close(): void;
}

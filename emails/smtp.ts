import { createTransport } from 'nodemailer';

/**
 * Opens a pool of connections to a mail server.
 * @param options.url such as `smtps://user:password@mail.example:465`
 */
export const openMailTransport = ({ url, maxConnections }: { url: string; maxConnections: number }) =>
  createTransport({
    url,
    pool: true,
    maxConnections,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    // Emails contain text and HTML only: they may not include files or URLs that nodemailer would fetch.
    disableFileAccess: true,
    disableUrlAccess: true,
  });

/** A mail server's rejection of one message. Any other failure, such as a lost connection, affects all messages. */
export interface Rejection {
  /** The server's reply code (RFC 5321, 4.2). */
  responseCode: number;
  /** Whether the server refuses the recipient for good. Sending the message again would be refused again. */
  isPermanent: boolean;
}

/** Reads a failure of sending. @returns null when it is not the rejection of a message */
export function readRejection(error: unknown): Rejection | null {
  if (!(error instanceof Error && 'code' in error && 'responseCode' in error)) return null;
  const { code, responseCode } = error;
  if ((code !== 'EENVELOPE' && code !== 'EMESSAGE') || typeof responseCode !== 'number') return null;
  const isOfRecipient = 'command' in error && error.command === 'RCPT TO';
  return { responseCode, isPermanent: isOfRecipient && responseCode >= 500 };
}

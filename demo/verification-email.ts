import * as z from 'zod/mini';

/** The mail catcher's list, newest first. */
const Messages = z.array(z.object({ text: z.nullable(z.string()) }));

const link = /\/verify-email#([\w-]+)/;

/**
 * Returns the token of the link in a verification e-mail; null if none has arrived.
 * @param inboxUrl the URL of the mail catcher, which responds once an e-mail has arrived, at the latest after 10 s
 * @throws Error if the mail catcher does not respond
 */
export async function readVerificationToken(inboxUrl: string, email: string): Promise<string | null> {
  const query = new URLSearchParams({ to: email, atLeast: '1' });
  const response = await fetch(new URL(`/messages.json?${query}`, inboxUrl), {
    signal: AbortSignal.timeout(30_000),
  });
  if (!response.ok) throw new Error(`The mail catcher answered ${response.status}.`);
  for (const { text } of Messages.parse(await response.json())) {
    const token = link.exec(text ?? '')?.[1];
    if (token !== undefined) return token;
  }
  return null;
}

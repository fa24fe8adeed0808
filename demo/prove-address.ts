import * as z from 'zod/mini';

/** The mail catcher's list, the newest first. */
const Messages = z.array(z.object({ text: z.nullable(z.string()) }));

const link = /\/verify-email#([\w-]+)/;

/**
 * The token of the link in the letter that confirms an address; null when no such letter has come.
 * @param inboxUrl of the mail catcher, which answers once a letter has come, at the latest after 10 s
 * @throws Error when the mail catcher does not answer
 */
export async function readProofToken(inboxUrl: string, email: string): Promise<string | null> {
  const query = new URLSearchParams({ to: email, atLeast: '1' });
  const answer = await fetch(new URL(`/messages.json?${query}`, inboxUrl), {
    signal: AbortSignal.timeout(30_000),
  });
  if (!answer.ok) throw new Error(`The mail catcher answered ${answer.status}.`);
  for (const { text } of Messages.parse(await answer.json())) {
    const token = link.exec(text ?? '')?.[1];
    if (token !== undefined) return token;
  }
  return null;
}

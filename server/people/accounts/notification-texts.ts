import { type EmailShop, type RenderedEmail, renderEmail } from '#emails/email.ts';

/** The email to a person whose account was deleted. */
export const deletionNotice = (email: string, origin: string, shop: EmailShop): RenderedEmail =>
  renderEmail(
    {
      to: { email },
      subject: 'Your account was deleted',
      paragraphs: [
        `Your account at ${shop.name} has just been deleted, with your name, addresses and sign-in. This cannot be undone.`,
        'If that was not you, somebody else could sign in as you: change the password of this mailbox and of your other accounts that have the same one, and write to the shop.',
      ],
      action: { label: `Go to ${shop.name}`, url: origin },
    },
    shop,
  );

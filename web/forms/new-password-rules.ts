import { newPassword } from '#contract/password.ts';

const { required, minimum, maximum, pattern } = newPassword;

/** What a new password must be, as a form checks it; the identity provider checks it again, and more. */
export const newPasswordRules = { required, minLength: minimum, maxLength: maximum, pattern };

/** The signs to choose from stay together on one line. */
export const newPasswordHint =
  '6 characters or more, with a capital letter, a digit and one of !\u00a0@\u00a0#\u00a0$\u00a0&\u00a0*';

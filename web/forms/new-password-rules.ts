import { newPassword } from '#contract/people/password.ts';

const { required, minimum, maximum, pattern } = newPassword;

/** The react-hook-form rules of a new password. The identity provider checks them again, and more. */
export const newPasswordRules = { required, minLength: minimum, maxLength: maximum, pattern };

/** No-break spaces keep the special characters on one line. */
export const newPasswordHint =
  '6 characters or more, with a capital letter, a digit and one of !\u00a0@\u00a0#\u00a0$\u00a0&\u00a0*';

/** What a new password must be, as a form checks it; the identity provider checks it again, and more. */
export const newPasswordRules = {
  required: 'Password is required',
  minLength: { value: 6, message: 'Password must be 6 character or longer' },
  pattern: {
    value: /^(?=.*[A-Z])(?=.*[0-9])(?=.*[!@#$&*])/,
    message: 'Password must be contain a capital letter and a special character.',
  },
};

/** The signs to choose from stay together on one line. */
export const newPasswordHint =
  '6 characters or more, with a capital letter, a digit and one of !\u00a0@\u00a0#\u00a0$\u00a0&\u00a0*';

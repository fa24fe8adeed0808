/** The rules for new passwords. Lengths are in UTF-16 code units. */
export const newPassword = {
  required: 'Password is required',
  minimum: { value: 6, message: 'Password must be 6 character or longer' },
  /** Limits the cost of hashing. */
  maximum: { value: 128, message: 'Password can be at most 128 characters' },
  /** A capital letter of any script, a digit and a special character. */
  pattern: {
    value: /^(?=.*\p{Lu})(?=.*[0-9])(?=.*[!@#$&*])/su,
    message: 'Password must be contain a capital letter and a special character.',
  },
} as const;

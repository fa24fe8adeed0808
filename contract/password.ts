/** What a new password must be. Lengths in characters, as JavaScript counts them. */
export const newPassword = {
  required: 'Password is required',
  minimum: { value: 6, message: 'Password must be 6 character or longer' },
  /** Hashing costs grow with length, and nobody types more. */
  maximum: { value: 128, message: 'Password can be at most 128 characters' },
  /** A capital letter of any alphabet, a digit and a sign. */
  pattern: {
    value: /^(?=.*\p{Lu})(?=.*[0-9])(?=.*[!@#$&*])/su,
    message: 'Password must be contain a capital letter and a special character.',
  },
} as const;

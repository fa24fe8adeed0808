// Stands in for '@simplewebauthn/browser', whose functions need an authenticator.

/** Returns a response that contains the options. */
export const startAuthentication = async ({ optionsJSON }: { optionsJSON: object }) => ({
  id: 'credential',
  rawId: 'credential',
  type: 'public-key',
  response: { clientDataJSON: 'data', authenticatorData: 'data', signature: 'signature' },
  used: optionsJSON,
});

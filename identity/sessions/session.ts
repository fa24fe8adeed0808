import * as z from 'zod/mini';

/** A session and its user, as better-auth returns them. */
export const UserSession = z.object({
  session: z.object({
    id: z.string(),
    createdAt: z.date(),
    /** RFC 8176 `amr` values, separated by spaces. */
    methods: z.nullish(z.string()),
    /** Whether the second factor is pending. Until then, the session gives access to nothing else. */
    due: z.nullish(z.boolean()),
  }),
  user: z.object({
    id: z.string(),
    name: z.string(),
    email: z.string(),
    emailVerified: z.boolean(),
    image: z.nullish(z.string()),
    createdAt: z.date(),
    disabledAt: z.nullish(z.date()),
    reclaimedAt: z.nullish(z.date()),
  }),
});
export type UserSession = z.infer<typeof UserSession>;

/** Returns the claims of a session's ID token. */
export function toIdTokenClaims({ user, session }: UserSession) {
  return {
    sub: user.id,
    iat: Math.floor(Date.now() / 1000),
    email: user.email,
    email_verified: user.emailVerified,
    // Not a claim of OpenID Connect: what was done before with this account may be somebody else’s.
    ...(user.reclaimedAt != null && { email_reclaimed: true }),
    ...(user.name === '' ? {} : { name: user.name }),
    ...(user.image ? { picture: user.image } : {}),
    auth_time: Math.floor(session.createdAt.getTime() / 1000),
    sid: session.id,
    amr: (session.methods ?? '').split(' ').filter((method) => method !== ''),
  };
}

/** Returns the RFC 8176 `amr` value for a sign-in through this endpoint of better-auth. */
export function amrOfPath(path: string | undefined): string {
  if (path?.startsWith('/sign-in/email') || path?.startsWith('/sign-up/email')) return 'pwd';
  return path?.includes('/callback') ? 'fed' : '';
}

/** The signed-in person as the identity provider knows them: what the session reads of it. */
export interface IdentityUser {
  readonly uid: string;
  readonly displayName: string | null;
  readonly email: string | null;
  readonly photoURL: string | null;
  /** The ID token, renewed when it is about to expire. */
  getIdToken(forceRefresh?: boolean): Promise<string>;
}

/** What the session asks of an identity provider's client; any that can do this can take its place. */
export interface IdentityProvider {
  /** Tells the user, or null, once it is known and again whenever the user or their ID token changes. */
  onIdTokenChanged(listener: (user: IdentityUser | null) => void): () => void;
  signInWithEmailAndPassword(email: string, password: string): Promise<IdentityUser>;
  createUserWithEmailAndPassword(email: string, password: string): Promise<IdentityUser>;
  updateProfile(profile: { displayName: string }): Promise<void>;
  signInWithGoogle(): Promise<IdentityUser>;
  signOut(): Promise<void>;
  /** Why the user was signed out without asking for it, as a sentence; null when they did ask. */
  signedOutBecause(): string | null;
}

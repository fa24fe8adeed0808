import * as z from 'zod/mini';
import { exchangeToken, TOKEN_KEY } from '#contract/accounts.ts';
import { type Client, createClient, Problem } from '#contract/client.ts';
import { parseJson } from '#contract/json.ts';

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** The signed-in user at the identity provider. */
interface Identity {
  readonly email: string;
  getIdToken(forceRefresh?: boolean): Promise<string>;
}

export interface ShopToken {
  read(): string | null;
  clear(): void;
  /**
   * Exchanges the user's ID token, unless the stored token was issued for the same one.
   * @param force renews both tokens, after the shop has rejected the present one
   * @throws Problem, IdentityError
   */
  exchange(identity: Identity, force?: boolean): Promise<void>;
}

/** Creates a client whose calls carry an ID token: those made before there is a token of the shop. */
export function createIdTokenClient(idToken: string, fetch: Fetch): Client {
  return createClient({ base: '/api', fetch, token: () => idToken, timeout: 15_000 });
}

/** What a failed exchange says about the session; `unavailable`: nothing, because the shop did not decide. */
export function classifyExchangeError(error: unknown): 'session-ended' | 'no-record' | 'unavailable' {
  if (!(error instanceof Problem)) return 'unavailable';
  if (error.code === 'account_ended' || error.status === 401) return 'session-ended';
  return error.status === 403 ? 'no-record' : 'unavailable';
}

/** Name of the lock under which a tab exchanges an ID token, and storage key of the last exchange. */
const EXCHANGE = `${TOKEN_KEY}:exchange`;

/** Milliseconds for which a tab reuses the token that another tab got for the same ID token. */
const REUSED_WITHIN = 30_000;

/** The last exchange of any tab: the signature of its ID token, and its time by this device's clock. */
const LastExchange = z.object({ proof: z.string(), at: z.number() });

/** A token's signature identifies the token and cannot be used in its place. */
const signatureOf = (idToken: string) => idToken.slice(idToken.lastIndexOf('.') + 1);

/**
 * Keeps the shop's token in local storage, or in memory where storage is forbidden or full. All tabs learn of a new ID
 * token at the same moment: one exchanges it, and the others reuse its result.
 */
export function createShopToken(options: {
  fetch: Fetch;
  storage: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  /** Runs work under a lock that all tabs share. */
  withLock: <Result>(name: string, work: () => Promise<Result>) => Promise<Result>;
}): ShopToken {
  /** The token that storage did not take; newer than the stored one. */
  let memory: string | null = null;
  let underWay: { idToken: string; result: Promise<void> } | null = null;
  let exchanged: string | null = null;

  function read(): string | null {
    if (memory !== null) return memory;
    try {
      return options.storage().getItem(TOKEN_KEY);
    } catch {
      return null;
    }
  }

  function save(token: string | null, idToken = '') {
    memory = null;
    try {
      const storage = options.storage();
      if (token === null) {
        storage.removeItem(TOKEN_KEY);
        storage.removeItem(EXCHANGE);
      } else {
        storage.setItem(TOKEN_KEY, token);
        storage.setItem(EXCHANGE, JSON.stringify({ proof: signatureOf(idToken), at: Date.now() }));
      }
    } catch {
      // The token lasts as long as the page.
      memory = token;
    }
  }

  /** Whether another tab has just stored a token for this ID token. @param refused a token that the shop has rejected */
  function isReusable(idToken: string, refused: string | null): boolean {
    const token = read();
    if (memory !== null || token === null || token === refused) return false;
    try {
      const { success, data } = LastExchange.safeParse(parseJson(options.storage().getItem(EXCHANGE) ?? ''));
      const age = Date.now() - (data?.at ?? 0);
      return success && data.proof === signatureOf(idToken) && age >= 0 && age < REUSED_WITHIN;
    } catch {
      return false;
    }
  }

  async function exchangeOnce(idToken: string, email: string, refused: string | null): Promise<void> {
    if (isReusable(idToken, refused)) {
      exchanged = idToken;
      return;
    }
    const answer = await createIdTokenClient(idToken, options.fetch).call(exchangeToken, {
      query: { email },
    });
    // The user may have changed or signed out meanwhile.
    if (underWay?.idToken !== idToken) return;
    exchanged = idToken;
    save(answer.coomercioToken, idToken);
  }

  return {
    read,
    clear() {
      underWay = null;
      exchanged = null;
      save(null);
    },
    async exchange(identity, force = false) {
      const refused = force ? read() : null;
      const idToken = await identity.getIdToken(force);
      if (!force && idToken === exchanged && read() !== null) return;
      if (underWay?.idToken !== idToken) {
        const work = () => exchangeOnce(idToken, identity.email, refused);
        const result = options.withLock(EXCHANGE, work).finally(() => {
          if (underWay?.result === result) underWay = null;
        });
        underWay = { idToken, result };
      }
      await underWay.result;
    },
  };
}

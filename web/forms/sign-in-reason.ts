import { href, matchPath, parsePath } from 'react-router';

/** A URL can contain anything: only what reads like a brand or a first name is repeated. */
const isName = /^[\p{L}\d -]{1,20}$/u;

/** The brand whose page a path is, if it reads like one. */
function brandOf(pathname: string): string | null {
  const { id = '' } = matchPath('/category/:id', pathname)?.params ?? {};
  return isName.test(id) ? id : null;
}

/** What a visitor wanted to do, by path. The first match counts. */
const purposes: readonly [path: string, purpose: (id: string) => string][] = [
  ['/category/:id', (brand) => `see ${isName.test(brand) ? brand : 'these'} laptops`],
  ['/dashboard/addProduct', () => 'sell a laptop'],
  ['/dashboard/myProducts/*', () => 'see your products'],
  ['/dashboard/myBuyers', () => 'see your buyers'],
  ['/dashboard/myWishlist', () => 'see your wishlist'],
  ['/dashboard/savedSearches', () => 'see your saved searches'],
  ['/dashboard/payment/:id', () => 'pay for your booking'],
  ['/dashboard/buy/:id', () => 'book this laptop'],
  ['/dashboard/claim', () => 'become the owner of this shop'],
  ['/dashboard/account', () => 'see your account'],
  ['/dashboard/order/:id', () => 'see your order'],
  ['/dashboard/messages/*', () => 'see your messages'],
  ['/dashboard', () => 'see your orders'],
  ['/dashboard/myOrders', () => 'see your orders'],
  ['/dashboard/*', () => 'see your dashboard'],
];

/** What a parameter of the URL opens, after the login. */
const actions: readonly [parameter: string, purpose: string][] = [
  ['book', 'book this laptop'],
  ['wish', 'add this laptop to your wishlist'],
  ['report', 'report this laptop'],
  ['reportReview', 'report this review'],
  ['phone', 'see the seller’s phone number'],
  ['save', 'save this search'],
  ['laptop', 'ask the seller about this laptop'],
];

/**
 * Returns why a page requires signing in, as a sentence.
 * @param from the path of the page, with its query @returns null for pages that everybody can open
 */
export function signInReason(from: string): string | null {
  const { pathname = '/', search = '' } = parsePath(from);
  const parameters = new URLSearchParams(search);
  const asked = parameters.get('ask');
  if (asked !== null) return `Log in to ask ${isName.test(asked) ? asked : 'the seller'}.`;
  const action = actions.find(([parameter]) => parameters.has(parameter));
  if (action !== undefined) return `Log in to ${action[1]}.`;
  for (const [path, purpose] of purposes) {
    const match = matchPath(path, pathname);
    if (match !== null) return `Log in to ${purpose(match.params.id ?? '')}.`;
  }
  return null;
}

/**
 * The list of laptops that a visitor can see without signing in, instead of the page that requires it.
 * @param from the path of the page
 */
export function publicListFor(from: string): { name: string; to: string } {
  const brand = brandOf(parsePath(from).pathname ?? '/');
  return brand === null
    ? { name: 'See the laptops without an account', to: href('/laptops') }
    : {
        name: `See ${brand} laptops without an account`,
        to: `${href('/laptops')}?${new URLSearchParams({ brand })}`,
      };
}

import { href, type Location, useLocation } from 'react-router';

/** Router state of a link to the login page: the page to go back to after signing in. */
interface ReturnPage {
  from: string;
}

/** A path of this shop. One that begins with two slashes would be another host. */
const ownPath = /^\/(?![/\\])/;

/** The router state that leads back to `location`. */
export function toReturnPage(location: Pick<Location, 'pathname' | 'search' | 'hash'>): ReturnPage {
  return { from: `${location.pathname}${location.search}${location.hash}` };
}

/** The page that a visitor who wants to sell goes on to. */
const SELLING_PAGE = href('/dashboard/addProduct');

/** The registration of a seller, which leads to {@link SELLING_PAGE}. */
export const sellerRegistration = `${href('/register')}?as=seller`;

/** Whether somebody registers or logs in to sell. */
export const isToSell = ({ from }: ReturnPage): boolean => from === SELLING_PAGE;

/**
 * Reads where a link leads back to from its router state, or from the query of {@link sellerRegistration}. Anything but a page of this
 * shop becomes the home page.
 */
export function parseReturnPage({ state, search }: Pick<Location<unknown>, 'state' | 'search'>): ReturnPage {
  const from = typeof state === 'object' && state !== null && 'from' in state ? state.from : null;
  if (typeof from === 'string' && ownPath.test(from)) return { from };
  return { from: new URLSearchParams(search).get('as') === 'seller' ? SELLING_PAGE : '/' };
}

/** The page that led to signing in; the home page without one. */
export function useReturnPage(): ReturnPage {
  return parseReturnPage(useLocation());
}

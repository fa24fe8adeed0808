import { href } from 'react-router';
import * as z from 'zod/mini';
import { BrandId } from '#contract/listings/laptop-schemas.ts';
import { sellerRegistration } from '../layout/return-page.ts';
import { parseSearch, toParameters } from './laptops/parse-search.ts';
import { searchUrl } from './laptops/search-url.ts';

/** Pages whose URL has no parameters that change what the server renders. */
const plainPaths: ReadonlySet<string> = new Set([
  href('/'),
  href('/home'),
  href('/blog'),
  href('/how-it-works'),
  href('/login'),
]);

const laptopPath = /^\/laptop\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\/[a-z0-9-]{1,200}$/;
const certificatePath = /^\/c\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const sellerPath = /^\/seller\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const contentPath = /^\/(?:blog|pages)\/[a-z0-9-]{1,60}$/;
const categoryPath = /^\/category\/([^/]+)$/;

function toCategoryPath(encoded: string): string | null {
  try {
    const brand = z.safeParse(BrandId, decodeURIComponent(encoded));
    return brand.success ? href('/category/:id', { id: brand.data }) : null;
  } catch {
    return null;
  }
}

function toSearchPath(parameters: URLSearchParams): string {
  const query = parseSearch(parameters);
  const path = searchUrl(toParameters(query));
  if (query.cursor === undefined) return path;
  return `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams({ cursor: query.cursor })}`;
}

/** The cursors of a seller's page, in one order. */
function toSellerPath(pathname: string, parameters: URLSearchParams): string {
  const cursors = new URLSearchParams(
    ['laptops', 'reviews'].flatMap((name) => {
      const cursor = parameters.get(name);
      return cursor === null ? [] : [[name, cursor]];
    }),
  );
  return cursors.size === 0 ? pathname : `${pathname}?${cursors}`;
}

/**
 * Returns the path and query that the server renders for every visitor who asks for a page: only parameters that change
 * what the server renders, in one order. Dialogs are opened by the browser, so their parameters are left out.
 * @returns null for pages that are not kept
 */
export function toPublicPath({ pathname, searchParams }: URL): string | null {
  if (
    plainPaths.has(pathname) ||
    [laptopPath, certificatePath, contentPath].some((path) => path.test(pathname))
  )
    return pathname;
  if (pathname === href('/register')) {
    return searchParams.get('as') === 'seller' ? sellerRegistration : pathname;
  }
  if (sellerPath.test(pathname)) return toSellerPath(pathname, searchParams);
  if (pathname === href('/laptops')) return toSearchPath(searchParams);
  const [, brand] = categoryPath.exec(pathname) ?? [];
  return brand === undefined ? null : toCategoryPath(brand);
}

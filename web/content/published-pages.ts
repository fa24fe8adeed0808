import { createContext } from 'react';

/** A published page of the shop, such as the terms. */
export interface PublishedPage {
  slug: string;
  title: string;
}

/** All of them, in the order of the footer. */
export const PublishedPages = createContext<readonly PublishedPage[]>([]);

import { data } from 'react-router';
import { NotFound } from '../../layout/not-found.tsx';
import type { Route } from './+types/page.ts';

/** @returns no data, only the status: a URL without a page is answered with 404. */
export const loader = () => data(null, { status: 404 });

export const meta: Route.MetaFunction = () => [
  { title: 'Page not found · Coomercio' },
  { name: 'robots', content: 'noindex' },
];

export default NotFound;

import { data, type MetaFunction } from 'react-router';
import { NotFound } from '../../layout/not-found.tsx';

/** @returns no data, only the status: a URL without a page is answered with 404. */
export const loader = () => data(null, { status: 404 });

export const meta: MetaFunction = () => [
  { title: 'Page not found · Coomercio' },
  { name: 'robots', content: 'noindex' },
];

export default NotFound;

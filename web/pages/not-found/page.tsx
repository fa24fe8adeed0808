import { data } from 'react-router';
import { NotFound } from '../../layout/not-found.tsx';
import { privateMeta } from '../../metadata/page-meta.ts';
import type { Route } from './+types/page.ts';

/** @returns no data, only the status: a URL without a page is answered with 404. */
export const loader = () => data(null, { status: 404 });

export const meta: Route.MetaFunction = privateMeta('Page not found');

export default NotFound;

import { fileURLToPath } from 'node:url';

/** The folder of package.json. */
export const root = fileURLToPath(new URL('..', import.meta.url));

/** The program of an installed package. */
export const installed = (path: string) => fileURLToPath(new URL(`../node_modules/${path}`, import.meta.url));

export { removeCertificatesOf } from './store.ts';

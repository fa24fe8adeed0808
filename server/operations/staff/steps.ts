export { removeInvitationsTo } from './store.ts';

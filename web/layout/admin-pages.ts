import { hasRight, type RequiredRights } from '#contract/platform/staff-rights.ts';
import type { Roles } from '../session/roles.ts';

/** The pages for admins by the part of their paths after `/dashboard/`, each with the rights of which it needs one. */
const adminPages: Readonly<Record<string, RequiredRights>> = {
  inspections: ['inspections'],
  complaints: ['complaints', 'money'],
  reportedItems: ['complaints'],
  reviews: ['complaints'],
  allSellers: ['people'],
  allBuyers: ['people'],
  shopMoney: ['money'],
  settlements: ['money'],
  allReceipts: ['money'],
  brands: ['settings'],
  pages: ['settings'],
  settings: ['settings'],
  firstSteps: ['settings'],
  health: ['settings', 'money'],
  auditTrail: ['money'],
  staff: ['owner'],
};

/** The rights of which an admin needs one for a page, by its path; those of an owner for an unknown page. */
export const rightsFor = (path: string): RequiredRights => adminPages[path.split('/')[2] ?? ''] ?? ['owner'];

/** Whether an admin may open a page. */
export const mayOpen = ({ rights }: Pick<Roles, 'rights'>, path: string): boolean =>
  rights !== undefined && hasRight(rights, rightsFor(path));

import * as z from 'zod/mini';

/** The areas in which an owner lets an admin work. */
export const staffAreas = ['inspections', 'complaints', 'people', 'money', 'settings'] as const;
export type StaffArea = (typeof staffAreas)[number];

/** What a call for admins can require: an area, or to be an owner. */
export type StaffRight = StaffArea | 'owner';
export type RequiredRights = readonly [StaffRight, ...StaffRight[]];

/** The names of the areas. */
export const areaNames: Readonly<Record<StaffArea, string>> = {
  inspections: 'Inspections',
  complaints: 'Complaints',
  people: 'People',
  money: 'Money',
  settings: 'Settings',
};

/** The rights of an admin. An owner may do everything and has no areas. */
export const StaffRights = z.object({ isOwner: z.boolean(), areas: z.array(z.enum(staffAreas)) });
export type StaffRights = Readonly<{ isOwner: boolean; areas: readonly StaffArea[] }>;

/** Whether these rights include one of the required ones. */
export const hasRight = ({ isOwner, areas }: StaffRights, required: readonly StaffRight[]): boolean =>
  isOwner || areas.some((area) => required.includes(area));

/** Rights in words. */
export const describeRights = ({ isOwner, areas }: StaffRights): string => {
  if (isOwner) return 'Owner';
  return areas.length === 0 ? 'No rights' : areas.map((area) => areaNames[area]).join(', ');
};

/** Every page of the shop by name, as `routes.ts` lays them out; `:name` stands for a parameter. */
export const paths = {
  home: '/',
  homeByName: '/home',
  blog: '/blog',
  category: '/category/:id',
  login: '/login',
  register: '/register',
  resetPassword: '/reset-password',
  verifyEmail: '/verify-email',
  accountDeleted: '/account-deleted',
  dashboard: '/dashboard',
  account: '/dashboard/account',
  myOrders: '/dashboard/myOrders',
  payment: '/dashboard/payment/:id',
  myWishlist: '/dashboard/myWishlist',
  buy: '/dashboard/buy/:id',
  myProducts: '/dashboard/myProducts',
  addProduct: '/dashboard/addProduct',
  myBuyers: '/dashboard/myBuyers',
  allSellers: '/dashboard/allSellers',
  allBuyers: '/dashboard/allBuyers',
  reportedItems: '/dashboard/reportedItems',
  auditTrail: '/dashboard/auditTrail',
  sitemap: '/sitemap.xml',
  robots: '/robots.txt',
} as const;

type PageName = keyof typeof paths;
type ParameterOf<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParameterOf<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;
type Parameters<Name extends PageName> = [ParameterOf<(typeof paths)[Name]>] extends [never]
  ? []
  : [parameters: Record<ParameterOf<(typeof paths)[Name]>, string>];

/** The URL of a page, its parameters encoded: `linkTo('category', { id: 'HP' })`. */
export function linkTo<Name extends PageName>(name: Name, ...parameters: Parameters<Name>): string {
  const given: Readonly<Record<string, string>> = parameters[0] ?? {};
  return paths[name].replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(given[key] ?? ''));
}

/** A brand's page with one of its laptops opened for booking. */
export function linkToBooking(laptop: { category_Id: string; _id: string }): string {
  return `${linkTo('category', { id: laptop.category_Id })}?book=${encodeURIComponent(laptop._id)}`;
}

import { index, layout, type RouteConfig, route } from '@react-router/dev/routes';
import { paths } from './links.ts';

const requireSignIn = 'session/require-sign-in.tsx';
const requireSeller = 'session/require-seller.tsx';
const requireAdmin = 'session/require-admin.tsx';

/** The URL table of the specification. */
export default [
  layout('layout/shop-layout.tsx', [
    index('pages/home/page.tsx', { id: 'home' }),
    route(paths.homeByName, 'pages/home/page.tsx', { id: 'home-by-name' }),
    route(paths.blog, 'pages/blog/page.tsx'),
    route(paths.login, 'pages/login/page.tsx'),
    route(paths.register, 'pages/register/page.tsx'),
    route(paths.resetPassword, 'pages/reset-password/page.tsx'),
    route(paths.verifyEmail, 'pages/verify-email/page.tsx'),
    route(paths.accountDeleted, 'pages/account-deleted/page.tsx'),
    layout(requireSignIn, { id: 'shop-for-signed-in' }, [route(paths.category, 'pages/category/page.tsx')]),
    layout(requireSignIn, { id: 'dashboard-for-signed-in' }, [
      route(paths.dashboard, 'layout/dashboard-layout.tsx', [
        index('pages/dashboard/myOrders/page.tsx', { id: 'dashboard-index' }),
        route(paths.myOrders, 'pages/dashboard/myOrders/page.tsx'),
        route(paths.payment, 'pages/dashboard/payment/page.tsx'),
        route(paths.myWishlist, 'pages/dashboard/myWishlist/page.tsx'),
        route(paths.buy, 'pages/dashboard/buy/page.tsx'),
        route(paths.account, 'pages/dashboard/account/page.tsx'),
        layout(requireSeller, [
          route(paths.myProducts, 'pages/dashboard/myProducts/page.tsx'),
          route(paths.addProduct, 'pages/dashboard/addProduct/page.tsx'),
          route(paths.myBuyers, 'pages/dashboard/myBuyers/page.tsx'),
        ]),
        layout(requireAdmin, [
          route(paths.allSellers, 'pages/dashboard/allSellers/page.tsx'),
          route(paths.allBuyers, 'pages/dashboard/allBuyers/page.tsx'),
          route(paths.reportedItems, 'pages/dashboard/reportedItems/page.tsx'),
          route(paths.auditTrail, 'pages/dashboard/auditTrail/page.tsx'),
        ]),
      ]),
    ]),
    route('*', 'pages/not-found/page.tsx'),
  ]),
  route(paths.sitemap, 'pages/search-engines/sitemap.ts'),
  route(paths.robots, 'pages/search-engines/robots.ts'),
] satisfies RouteConfig;

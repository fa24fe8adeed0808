import { index, layout, type RouteConfig, route } from '@react-router/dev/routes';

const requireSignIn = 'layout/require-sign-in.tsx';
const requireSeller = 'layout/require-seller.tsx';
const requireAdmin = 'layout/require-admin.tsx';

/** The URL table of the specification. Links are built by `href()`, whose types are generated from this table. */
export default [
  layout('layout/shop-layout.tsx', [
    index('pages/home/page.tsx', { id: 'home' }),
    route('home', 'pages/home/page.tsx', { id: 'home-by-name' }),
    route('blog', 'pages/blog/page.tsx'),
    route('blog/:slug', 'pages/content/page.tsx', { id: 'post' }),
    route('pages/:slug', 'pages/content/page.tsx', { id: 'page' }),
    route('how-it-works', 'pages/how-it-works/page.tsx'),
    route('laptop/:id/:slug?', 'pages/laptop/page.tsx'),
    route('seller/:id', 'pages/seller/page.tsx'),
    route('verify', 'pages/verify/page.tsx'),
    route('laptops', 'pages/laptops/page.tsx'),
    route('laptops/compare', 'pages/laptops/compare/page.tsx'),
    route('login', 'pages/login/page.tsx'),
    route('register', 'pages/register/page.tsx'),
    route('reset-password', 'pages/reset-password/page.tsx'),
    route('verify-email', 'pages/verify-email/page.tsx'),
    route('unsubscribe/:token', 'pages/unsubscribe/page.tsx'),
    route('account-deleted', 'pages/account-deleted/page.tsx'),
    layout(requireSignIn, { id: 'shop-for-signed-in' }, [route('category/:id', 'pages/category/page.tsx')]),
    layout(requireSignIn, { id: 'dashboard-for-signed-in' }, [
      route('dashboard', 'layout/dashboard-layout.tsx', [
        index('pages/dashboard/my-orders/page.tsx', { id: 'dashboard-index' }),
        route('myOrders', 'pages/dashboard/my-orders/page.tsx'),
        route('order/:id', 'pages/dashboard/order/page.tsx'),
        route('payment/:id', 'pages/dashboard/payment/page.tsx'),
        route('myWishlist', 'pages/dashboard/my-wishlist/page.tsx'),
        route('savedSearches', 'pages/dashboard/saved-searches/page.tsx'),
        // One route, because every visit fetches the table of routes.
        route('messages/:id?', 'pages/dashboard/messages/page.tsx'),
        route('buy/:id', 'pages/dashboard/buy/page.tsx'),
        route('receipts', 'pages/dashboard/receipts/page.tsx'),
        route('receipt/:number', 'pages/dashboard/receipt/page.tsx'),
        route('notifications', 'pages/dashboard/notifications/page.tsx'),
        route('account', 'pages/dashboard/account/page.tsx'),
        layout(requireSeller, [
          route('myProducts', 'pages/dashboard/my-products/page.tsx'),
          route('measure/:id', 'pages/dashboard/measure/page.tsx'),
          route('addProduct', 'pages/dashboard/add-product/page.tsx'),
          route('editProduct/:id', 'pages/dashboard/edit-product/page.tsx'),
          route('myBuyers', 'pages/dashboard/my-buyers/page.tsx'),
          route('money', 'pages/dashboard/money/page.tsx'),
          route('statement/:month', 'pages/dashboard/statement/page.tsx'),
        ]),
        layout(requireAdmin, [
          route('allSellers', 'pages/dashboard/all-sellers/page.tsx'),
          route('allBuyers', 'pages/dashboard/all-buyers/page.tsx'),
          route('inspections', 'pages/dashboard/inspections/page.tsx'),
          route('inspections/:id', 'pages/dashboard/inspection/page.tsx'),
          route('complaints', 'pages/dashboard/complaints/page.tsx'),
          route('reviews', 'pages/dashboard/reviews/page.tsx'),
          route('settlements', 'pages/dashboard/settlements/page.tsx'),
          route('reportedItems', 'pages/dashboard/reported-items/page.tsx'),
          route('shopMoney', 'pages/dashboard/shop-money/page.tsx'),
          route('allReceipts', 'pages/dashboard/all-receipts/page.tsx'),
          route('brands', 'pages/dashboard/brands/page.tsx'),
          route('pages/:id?', 'pages/dashboard/pages/page.tsx'),
          route('health', 'pages/dashboard/health/page.tsx'),
          route('auditTrail', 'pages/dashboard/audit-trail/page.tsx'),
        ]),
      ]),
    ]),
    route('*', 'pages/not-found/page.tsx'),
  ]),
  route('check', 'pages/check/page.tsx'),
  route('c/:id', 'pages/certificate/page.tsx'),
  route('sitemap.xml', 'pages/search-engines/sitemap.ts'),
  route('sitemap-pages.xml', 'pages/search-engines/sitemap-pages.ts'),
  route('sitemap-laptops.xml', 'pages/search-engines/sitemap-laptops.ts'),
  route('sitemap-sellers.xml', 'pages/search-engines/sitemap-sellers.ts'),
  route('robots.txt', 'pages/search-engines/robots.ts'),
] satisfies RouteConfig;

// The forbidden imports of ARCHITECTURE.md. `npm test` reports the name of a violated rule.

const { Visitor } = require('@swc/core/Visitor.js');

// The parser supports `using`, but its visitor throws at the first one.
const visitStatement = Visitor.prototype.visitStatement;
Visitor.prototype.visitStatement = function visit(statement) {
  if (statement.type !== 'UsingDeclaration') return visitStatement.call(this, statement);
  this.visitVariableDeclarators(statement.decls);
  return statement;
};

const test = '\\.test\\.tsx?$';

/**
 * The wings of the server, from the ground, with their rooms in import order and the wings that they may import. A room
 * imports only from those before it.
 */
const wings = {
  platform: { rooms: [], uses: [] },
  people: { rooms: ['audit', 'accounts', 'notifications', 'phone-checks'], uses: ['platform'] },
  listings: {
    rooms: [
      'photos',
      'catalogue',
      'search',
      'saved-searches',
      'brands',
      'subscriptions',
      'wishlist',
      'reports',
    ],
    uses: ['platform', 'people'],
  },
  money: {
    rooms: ['ledger', 'refunds', 'receipts', 'payouts', 'accounting'],
    uses: ['platform', 'people'],
  },
  certification: {
    rooms: ['inspections', 'certificates', 'duplicates'],
    uses: ['platform', 'people', 'listings'],
  },
  sales: {
    rooms: ['addresses', 'bookings', 'orders', 'payments', 'shipping', 'complaints', 'reviews', 'messages'],
    uses: ['platform', 'people', 'listings', 'money', 'certification'],
  },
};

/** Interfaces that a wing declares and server/providers implements, with their errors. */
const ports =
  '^server/(people/notifications/(email|push)-sender|people/phone-checks/sms-sender|listings/photos/storage|money/(accounting/balance-reader|payouts/payout-processor)|sales/payments/card-processor|sales/shipping/carriers|operations/health/platform|operations/first-steps/card-account)\\.ts$';

const wingNames = Object.keys(wings);

const anyCapability = `^server/(${Object.entries(wings)
  .flatMap(([wing, { rooms }]) => rooms.map((room) => `${wing}/${room}`))
  .join('|')})/`;

module.exports = {
  forbidden: [
    {
      name: '1-contract-imports-only-its-schema-library',
      comment: 'The contract declares the API with zod, and depends on nothing else.',
      severity: 'error',
      from: { path: '^contract/', pathNot: test },
      to: { pathNot: ['^contract/', '(^|/)node_modules/zod/'] },
    },
    {
      name: '1-emails-import-only-the-colours',
      comment: 'It renders e-mails and speaks SMTP; their content stays with the capability that sends them.',
      severity: 'error',
      from: { path: '^emails/', pathNot: test },
      to: {
        pathNot: ['^emails/', '^contract/platform/theme\\.ts$', '(^|/)node_modules/(@types/)?nodemailer/'],
      },
    },
    {
      name: '1-rate-limits-import-only-the-contract',
      comment: 'The limiter of the shop and of the identity provider, which has another database.',
      severity: 'error',
      from: { path: '^rate-limits/', pathNot: test },
      to: { pathNot: ['^(rate-limits|contract)/', '(^|/)node_modules/zod/'], dependencyTypesNot: ['core'] },
    },
    {
      name: '2-identity-imports-no-server-code',
      comment:
        'It runs on another machine, too. Only its own start, identity/main.ts, composes it with parts of the server.',
      severity: 'error',
      from: { path: '^identity/', pathNot: [test, '/testing/', '^identity/main\\.ts$'] },
      to: { path: '^server/' },
    },
    {
      name: '2-pages-import-no-server-code',
      comment: 'The pages call the server through the contract, also during server rendering.',
      severity: 'error',
      from: { path: '^web/', pathNot: test },
      to: { path: '^(server|identity|sandbox|packages)/' },
    },
    {
      name: '2-server-imports-no-page-code',
      comment: 'The server uses the built pages, never their source.',
      severity: 'error',
      from: { path: '^(server|identity|sandbox|packages)/', pathNot: test },
      to: { path: '^web/' },
    },
    {
      name: '3-product-imports-no-stand-in',
      comment:
        'A stand-in is another base URL and key, never a branch in product code. `testing/` is no product code.',
      severity: 'error',
      from: {
        path: '^(contract|rate-limits|server|identity|web)/',
        pathNot: [test, '/testing/', '^server/(main\\.ts$|operations/trial/)'],
      },
      to: {
        path: ['^(sandbox|packages|demo|tests|bench|scripts)/', '/testing/'],
        pathNot: '(^|/)node_modules/',
      },
    },
    {
      name: '3-main-starts-stand-ins-by-dynamic-import',
      comment: 'Only the start imports stand-ins and demo data, and only if they are needed.',
      severity: 'error',
      from: { path: '^server/(main\\.ts$|operations/trial/)' },
      to: { path: '^(sandbox|packages|demo|tests|bench|scripts)/', dynamic: false },
    },
    {
      name: '3-packages-import-nothing-of-the-project',
      comment: 'A package can be used and published without this project.',
      severity: 'error',
      from: { path: '^packages/([^/]+)/' },
      to: { pathNot: ['^packages/$1/', '(^|/)node_modules/'], dependencyTypesNot: ['core'] },
    },
    ...Object.entries(wings).flatMap(([wing, { uses }]) =>
      ['server', 'contract'].map((tree) => ({
        name: `4-${tree}-${wing}-imports-only-wings-below`,
        comment: `It may import ${uses.join(', ') || 'no other wing'}; nothing imports upwards.`,
        severity: 'error',
        from: { path: `^${tree}/${wing}/`, pathNot: test },
        to: { path: `^${tree}/`, pathNot: `^${tree}/(${[wing, ...uses].join('|')})/` },
      })),
    ),
    ...Object.entries(wings).flatMap(([wing, { rooms }]) =>
      rooms.flatMap((room, index) => [
        {
          name: `4-${room}-imports-only-the-interface-of-others`,
          comment:
            'A room offers to others its steps (inside a transaction), actions (outside one), rules and refusals.',
          severity: 'error',
          from: { path: `^server/${wing}/${room}/`, pathNot: test },
          to: {
            path: anyCapability,
            pathNot: [`^server/${wing}/${room}/`, `${anyCapability}(steps|actions|rules|refusals)\\.ts$`],
          },
        },
        {
          name: `4-${room}-imports-only-those-before-it`,
          comment: `The order is ${rooms.join(', ')}.`,
          severity: 'error',
          from: { path: `^server/${wing}/${room}/`, pathNot: test },
          to: { path: `^server/${wing}/(${[...rooms.slice(index + 1), '-'].join('|')})/` },
        },
      ]),
    ),
    {
      name: '4-providers-implement-ports',
      comment:
        'What speaks to a vendor knows the interface that a wing declares for it, and nothing else of the wing.',
      severity: 'error',
      from: { path: '^server/providers/', pathNot: test },
      to: { path: '^server/', pathNot: ['^server/(providers|platform)/', ports] },
    },
    {
      name: '4-only-the-composition-imports-providers',
      comment: 'A wing receives the implementations of its ports.',
      severity: 'error',
      from: { path: `^server/(${wingNames.join('|')})/`, pathNot: test },
      to: { path: '^server/providers/' },
    },
    {
      name: '4-only-the-top-composes',
      comment: 'server/main.ts, shop.ts and app.ts compose the wings; no wing imports them.',
      severity: 'error',
      from: { path: '^server/[^/]+/', pathNot: test },
      to: { path: '^server/[^/]+\\.ts$' },
    },
    {
      name: '5-rules-are-pure',
      comment:
        'A rule receives all its inputs as arguments, including the time. It may name the rows of tables (decision 87).',
      severity: 'error',
      from: { path: [`${anyCapability}rules\\.ts$`, '^server/sales/order-price\\.ts$'] },
      to: {
        pathNot: '^server/platform/database/tables\\.ts$',
        path: [
          '^server/(providers|operations|platform/(database|http|jobs))/',
          `${anyCapability}(plugin|upload-and-serve-routes|actions|steps|store)\\.ts$`,
          '(^|/)node_modules/(pg|kysely|fastify|stripe|nodemailer)/',
          '^(node:)?(timers|perf_hooks|fs|net|http|https)(/|$)',
        ],
      },
    },
    {
      name: '5-steps-and-stores-stay-in-the-database',
      comment:
        'Steps run inside a transaction, in which a call to a vendor would hold locks until it returns.',
      severity: 'error',
      from: { path: `${anyCapability}(steps|store)\\.ts$` },
      to: {
        path: [
          '^server/(providers|platform/http)/',
          '(^|/)node_modules/(fastify|stripe|nodemailer|@aws-sdk)/',
        ],
      },
    },
    {
      name: 'traces-are-off-by-default',
      comment:
        'Without a collector, none of OpenTelemetry’s code is loaded: server/main.ts imports it dynamically.',
      severity: 'error',
      from: { path: '^(server|identity|web|contract)/', pathNot: ['^server/platform/tracing/', test] },
      to: {
        path: ['^server/platform/tracing/', '(^|/)node_modules/@opentelemetry/'],
        dependencyTypesNot: ['type-only', 'dynamic-import'],
      },
    },
    {
      name: '6-controls-import-only-controls',
      comment: 'A control with a business noun belongs to a page, or to the folder of that noun.',
      severity: 'error',
      from: { path: '^web/ui/', pathNot: test },
      to: { path: '^web/', pathNot: '^web/ui/' },
    },
    {
      name: '6-only-pages-import-pages',
      comment:
        'Code outside web/pages is shared by pages. It cannot depend on one of them. The server entry asks them which URLs are the same page.',
      severity: 'error',
      from: { path: '^web/', pathNot: ['^web/pages/', '^web/entry\\.server\\.tsx$', test] },
      to: { path: '^web/pages/' },
    },
    {
      name: '6-pages-import-no-sibling',
      comment: 'Code that two pages share is in a folder beside web/pages, named for what it holds.',
      severity: 'error',
      from: { path: '^web/pages/([^/]+)/', pathNot: test },
      to: { path: '^web/pages/', pathNot: '^web/pages/$1/' },
    },
    {
      name: '6-nested-pages-import-no-sibling',
      comment: 'The pages of the dashboard are siblings of each other, too.',
      severity: 'error',
      from: { path: '^web/pages/([^/]+)/([^/]+)/', pathNot: test },
      to: { path: '^web/pages/$1/', pathNot: ['^web/pages/$1/[^/]+$', '^web/pages/$1/$2/'] },
    },
    {
      name: 'database-imports-nothing-else',
      comment: 'The database layer is used by every wing and imports none of them.',
      severity: 'error',
      from: { path: '^server/platform/database/', pathNot: test },
      to: { path: '^(server|identity)/', pathNot: '^server/platform/database/' },
    },
    {
      name: 'embedded-postgres-imports-nothing-else',
      comment: 'The supervisor of the embedded PostgreSQL imports nothing else of the project.',
      severity: 'error',
      from: { path: '^server/platform/database/embedded/', pathNot: test },
      to: { path: '^(contract|server|identity)/', pathNot: '^server/platform/database/embedded/' },
    },
    {
      name: 'embedded-postgres-has-one-entry',
      comment: 'Other modules import only start.ts of the embedded PostgreSQL.',
      severity: 'error',
      from: { pathNot: '^server/platform/database/embedded/' },
      to: { path: '^server/platform/database/embedded/', pathNot: '/start\\.ts$' },
    },
    {
      name: '7-only-the-harness-is-shared',
      comment: 'Tests share code through tests/harness, which imports no other test folder.',
      severity: 'error',
      from: {
        path: '^(contract|emails|rate-limits|server|identity|web|sandbox|packages|demo|bench|scripts|tests/harness)/',
      },
      to: { path: '^tests/', pathNot: '^tests/harness/' },
    },
    {
      name: 'no-circle',
      comment: 'Two modules that import each other cannot be understood, tested or moved separately.',
      severity: 'error',
      // Type-only imports count.
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-missing-module',
      comment:
        'The import does not resolve, or package.json lacks the package. React Router generates +types.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '/\\+types/' },
    },
  ],
  options: {
    // The TypeScript compiler of this project has no JavaScript API; without this line nothing would be read.
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(build|\\.react-router)/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json', '.d.ts'],
    },
  },
};

/** Who may import whom (docs/architecture.md). The test runner runs this over the whole tree. */
const layer = (name, allowed, comment) => ({
  name: `${name}-imports`,
  comment,
  severity: 'error',
  from: { path: `^${name}/` },
  to: {
    path: '^(domain|platform|store|workflows|activities|documents|spreadsheet|api|worker|ops|dev|demo|bench|test)/',
    pathNot: `^(${[name, ...allowed].join('|')})/`,
  },
});

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-orphans',
      severity: 'error',
      from: {
        orphan: true,
        path: '^(domain|platform|store|workflows|activities|documents|spreadsheet|api|worker|ops)/',
        // Commands are started by their path.
        pathNot: '(\\.d\\.ts|^api/openapi/page/.*\\.js|^ops/(main|health-check)\\.ts)$',
      },
      to: {},
    },
    {
      name: 'domain-is-pure',
      comment: 'Pure decisions: no package, no Node built-in, no other layer.',
      severity: 'error',
      from: { path: '^domain/' },
      to: { pathNot: '^domain/' },
    },
    layer('platform', [], 'Packages only.'),
    layer('store', ['domain', 'platform'], 'The only SQL.'),
    layer('documents', ['domain', 'platform'], 'Data to PDF: no HTTP, no store.'),
    layer('spreadsheet', ['domain', 'platform'], 'Bytes to rows of cells: no HTTP, no store.'),
    layer(
      'ops',
      ['domain', 'platform', 'store', 'api', 'workflows'],
      'Commands of production: nothing of a laptop.',
    ),
    layer('activities', ['domain', 'platform', 'store'], 'Idempotent steps over the store.'),
    {
      name: 'api-imports',
      comment: 'The API talks to workflows by messages alone.',
      severity: 'error',
      from: { path: '^api/' },
      to: {
        path: '^(workflows|activities|worker|ops|dev|demo|bench|test)/',
        pathNot: '^workflows/(messages\\.ts|client/)',
      },
    },
    {
      name: 'http-frame',
      comment: 'The frame knows no resource: what it runs is given to it.',
      severity: 'error',
      from: { path: '^api/http/' },
      to: { path: '^api/', pathNot: '^api/(http|schema)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'worker-imports',
      comment: 'Workflow code is named by its path and bundled, never imported.',
      severity: 'error',
      from: { path: '^worker/' },
      to: {
        path: '^(api|ops|dev|demo|bench|test|workflows)/',
        pathNot: '^workflows/(messages\\.ts|client/)',
      },
    },
    {
      name: 'workflows-are-deterministic',
      comment: 'Workflow code sees the domain, Temporal’s workflow packages, and types of activities.',
      severity: 'error',
      from: { path: '^workflows/', pathNot: '^workflows/client/' },
      to: {
        pathNot: '^(workflows/(?!client/)|domain/|node_modules/@temporalio/(workflow|common)/)',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'workflow-clients',
      comment: 'What starts and signals runs is no workflow code, and no workflow imports it.',
      severity: 'error',
      from: { path: '^workflows/client/' },
      to: {
        path: '^(store|activities|api|worker|ops|dev|demo|bench|test)/',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'sql-lives-in-the-store',
      severity: 'error',
      from: { path: '^(domain|workflows|activities|worker|api)/' },
      to: { path: 'node_modules/(pg|sequelize)/' },
    },
    {
      name: 'web-imports',
      comment:
        'The console may import the domain and the generated types of the API. Anything else it gets over HTTP, as every client does.',
      severity: 'error',
      from: { path: '^web/', pathNot: '^web/[^/]+\\.config\\.ts$' },
      to: { pathNot: '^(web|domain|node_modules)/' },
    },
    {
      name: 'web-is-not-imported',
      comment: 'The service sends the built files of the console and imports nothing of it.',
      severity: 'error',
      from: { pathNot: '^(web|test/web)/' },
      to: { path: '^web/' },
    },
    {
      name: 'tests-are-not-imported',
      severity: 'error',
      from: { pathNot: '^(test|dev|demo|bench)/' },
      to: { path: '^test/' },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    // Built files: their chunks import one another as the bundler likes.
    exclude: { path: '^web/dist/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};

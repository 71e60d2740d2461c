// Who may import whom: every row of the table in docs/architecture.md ("Who may import whom"), checked by dependency-cruiser.
// Each room lists what it MAY use; anything else is a violation. test/unit/boundaries.test.ts plants one violation per rule.

/** Folders that hold our code. */
const OURS = '^(shared|functions|statemachines|infra|local|harnesses|cli|console|examples|test|bench|scripts)/';

const CONTRACTS = '^shared/contracts/';
const DOMAIN = '^shared/domain/';
const PORTS = '^shared/ports/';
const NET = '^shared/net/';
const PROTOCOLS = '^shared/protocols/';
const ADAPTERS = '^shared/adapters/';
/** Builds the ports of a function of the cloud host, from adapters of both kinds. See docs/decisions/0050. */
const AWS_PORTS = '^shared/adapters/aws/ports/';
/** perform.ts and the files beside it that it is made of; step.ts there says what a step is. It uses one rule, TRACE. See docs/decisions/0003. */
const PERFORM = '^functions/(?!(wrap|all)[.]ts$)[^/]+[.]ts$';
/** What a step may know of perform: what a step is, how a message is sealed, where outcome and token meet, what a saved change says is to follow. */
const STEP_SHAPE = '^functions/(step|envelope|rendezvous|carry-through)[.]ts$';
/** What several steps of the loop do alike: sessions, checks, paid calls, waves. */
const LOOP = '^functions/loop/';
const STEP_MAY = [STEP_SHAPE, LOOP, CONTRACTS, DOMAIN, PORTS];
/** Doors that speak a protocol of their own. */
const DOORS = '^functions/(acp|a2a)/(?!handler[.]ts$)';
/** Its own step, what wraps it, for the doors a planner's look ahead, and what ports are built from. */
const HANDLER_MAY = ['^$1/step[.]ts$', '^functions/(wrap|plan/preview)[.]ts$', PERFORM, CONTRACTS, PORTS, ADAPTERS];
const TRACE = '^shared/domain/trace-context[.]ts$';
const ZOD = 'node_modules/zod/';
const OWN_FOLDER = '^$1/';

/** npm packages, wherever they were resolved. */
const packages = (...names) => names.map((name) => `node_modules/(@types/)?${name}/`);

/** Libraries that check a document against a schema. */
const CHECKERS = [...packages('zod', 'ajv', 'yaml'), '^(node:)?vm$'];

/** Libraries that do no I/O, see docs/decisions/0002. */
const PURE_LIBRARIES = packages('zod', 'node-diff3', 'diff', 'picomatch');

/** The official SDKs whose types and codecs a protocol folder may use. */
const PROTOCOL_SDKS = packages('@agentclientprotocol/sdk', '@a2a-js/sdk', '@modelcontextprotocol/(core|server|client)');

/** A room that may use only what is listed, built-in modules and packages included. */
const closed = (name, from, may) => ({ name, severity: 'error', from: { path: from }, to: { pathNot: may } });

/** A room that may use any package and built-in module, but of our own code only what is listed. */
const open = (name, from, may) => ({ name, severity: 'error', from: { path: from }, to: { path: OURS, pathNot: may } });

const rooms = [
  closed('contracts', CONTRACTS, [CONTRACTS, ZOD]),
  closed('domain', DOMAIN, [DOMAIN, CONTRACTS, ...PURE_LIBRARIES]),
  closed('ports', PORTS, [PORTS, CONTRACTS]),
  open('net', NET, [NET]),
  closed('protocols', '^(shared/protocols/[^/]+)/', [OWN_FOLDER, CONTRACTS, ZOD, ...PROTOCOL_SDKS]),
  {
    ...open('adapters', '^(shared/adapters/[^/]+)/', [OWN_FOLDER, CONTRACTS, PORTS, DOMAIN, PROTOCOLS, NET]),
    from: { path: '^(shared/adapters/[^/]+)/', pathNot: AWS_PORTS },
  },
  open('aws-ports', AWS_PORTS, ['^shared/adapters/(aws|open)/', CONTRACTS, PORTS, DOMAIN, PROTOCOLS, NET]),
  open('client', '^shared/client/', ['^shared/client/', CONTRACTS, '^shared/protocols/acp/']),
];

const functions = [
  {
    ...closed('steps', '^(functions/[^/]+)/', [OWN_FOLDER, ...STEP_MAY]),
    from: {
      path: '^(functions/[^/]+)/',
      pathNot: ['/handler[.]ts$', '^functions/(acp|a2a|door|loop|authorize|stream)/'],
    },
  },
  closed('loop', LOOP, [LOOP, STEP_SHAPE, CONTRACTS, DOMAIN, PORTS, ...CHECKERS]),
  closed('all-steps', '^functions/all[.]ts$', ['^functions/[^/]+/step[.]ts$', STEP_SHAPE, CONTRACTS]),
  closed('protocol-doors', DOORS, ['^functions/$1/', ...STEP_MAY, '^shared/(protocols/$1/|net/addresses[.]ts$)', ZOD]),
  closed('stream', '^functions/stream/(?!handler[.]ts$)', [
    '^functions/stream/',
    '^functions/acp/step[.]ts$',
    CONTRACTS,
  ]),
  closed('northbound-door', '^functions/door/(?!handler[.]ts$)', [
    '^functions/door/',
    STEP_SHAPE,
    CONTRACTS,
    DOMAIN,
    PORTS,
    PROTOCOLS,
  ]),
  closed('authorize', '^functions/authorize/(?!handler[.]ts$)', [
    '^functions/authorize/',
    CONTRACTS,
    DOMAIN,
    ...packages('zod', 'jose'),
  ]),
  {
    name: 'jose-only-in-authorize',
    severity: 'error',
    from: { path: OURS, pathNot: ['^functions/authorize/', '^(test|bench|scripts)/'] },
    to: { path: packages('jose') },
  },
  closed('perform', PERFORM, [PERFORM, TRACE, CONTRACTS, PORTS]),
  closed('handlers', '^(functions/(?!acp/)[^/]+)/handler[.]ts$', HANDLER_MAY),
  // The door alone is shown a fresh token while a connection lives, see docs/decisions/0042.
  closed('door-handler', '^(functions/acp)/handler[.]ts$', [...HANDLER_MAY, '^functions/authorize/step[.]ts$']),
  closed('wrap', '^functions/wrap[.]ts$', [
    PERFORM,
    CONTRACTS,
    PORTS,
    ADAPTERS,
    ...packages('@middy/[^/]+', '@aws-lambda-powertools/[^/]+', 'aws-lambda'),
  ]),
  {
    name: 'middy-only-in-wrap',
    severity: 'error',
    from: { path: OURS, pathNot: ['^functions/wrap[.]ts$', '^(test|bench|scripts)/'] },
    to: { path: packages('@middy', '@aws-lambda-powertools') },
  },
];

const hosts = [
  open('infra', '^infra/', ['^infra/', CONTRACTS]),
  {
    name: 'nobody-imports-infra',
    severity: 'error',
    from: { path: OURS, pathNot: '^(infra|test|bench|scripts)/' },
    to: { path: '^infra/' },
  },
  open('local', '^local/', [
    '^local/',
    '^functions/[^/]+/step[.]ts$',
    '^functions/all[.]ts$',
    '^functions/plan/preview[.]ts$',
    '^functions/(acp|door|loop)/',
    PERFORM,
    CONTRACTS,
    DOMAIN,
    PORTS,
    PROTOCOLS,
    '^shared/adapters/(local|open)/',
    '^statemachines/',
  ]),
  closed('harnesses', '^harnesses/', ['^harnesses/', CONTRACTS]),
  {
    name: 'harnesses-through-the-port',
    severity: 'error',
    from: { path: OURS, pathNot: '^(harnesses|test|bench|scripts)/' },
    to: { path: '^harnesses/' },
  },
  {
    name: 'aws-sdk-only-at-aws',
    severity: 'error',
    from: { path: OURS, pathNot: ['^shared/adapters/aws/', '^(infra|test|bench|scripts)/'] },
    to: { path: packages('@aws-sdk', '@smithy') },
  },
];

const doors = [
  open('cli', '^cli/', ['^cli/', CONTRACTS, '^shared/client/', '^local/[^/]+[.]ts$']),
  open('console', '^console/', ['^console/', CONTRACTS, '^shared/client/']),
  open('examples', '^examples/', ['^examples/', CONTRACTS, '^shared/client/']),
];

const everywhere = [
  { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
  { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  {
    name: 'product-never-imports-tests',
    severity: 'error',
    from: { path: OURS, pathNot: '^(test|bench|scripts)/' },
    to: { path: '^(test|bench|scripts)/' },
  },
  {
    name: 'every-room-has-a-row',
    severity: 'error',
    from: {
      path: '/',
      pathNot: [
        '^shared/(contracts|domain|ports|net|client)/',
        '^shared/(protocols|adapters)/[^/]+/',
        '^functions/[^/]+/',
        '^functions/[^/]+[.]ts$',
        '^(infra|local|harnesses|cli|console|examples|test|bench|scripts)/',
        '^(bin|[.]ci)/',
      ],
    },
    to: {},
  },
];

module.exports = {
  forbidden: [...rooms, ...functions, ...hosts, ...doors, ...everywhere],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|coverage|[.]reports|examples/workspaces)/|/fixtures/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      mainFields: ['module', 'main', 'types', 'typings'],
    },
  },
};

/** A command in a client's folder, or in a folder below it. It has to exit with 0. */
export interface Step {
  readonly title: 'generate' | 'install' | 'compile' | 'drive';
  readonly command: readonly [program: string, ...words: string[]];
  readonly folder?: string;
}

/** A generator with a language: how its client is made of the served description, compiled, and drives a delivery. */
export interface Client {
  readonly name: string;
  /** Programs that have to be there, each with the word that makes it print its version. */
  readonly needs: readonly (readonly [program: string, word: string])[];
  /** Files of `test/clients/drives`, and where they go in the client's folder. */
  readonly files: Readonly<Record<string, string>>;
  readonly steps: readonly [Step, ...Step[]];
}

/** The description, as each client's folder sees it. */
export const DESCRIPTION_FILE = '../openapi.json';

const compileTypeScript: Step = { title: 'compile', command: ['tsc', '--project', '.'] };
const driveTypeScript: Step = { title: 'drive', command: ['node', '--import', 'tsx', 'drive.ts'] };

/** What npm installs: `npm test` runs these, each with packages of the lock file. */
export const PACKAGE_CLIENTS: readonly Client[] = [
  {
    name: 'openapi-typescript',
    needs: [],
    files: { 'openapi-typescript.ts': 'drive.ts', 'tsconfig.json': 'tsconfig.json' },
    steps: [
      { title: 'generate', command: ['openapi-typescript', DESCRIPTION_FILE, '--output', 'client.d.ts'] },
      compileTypeScript,
      driveTypeScript,
    ],
  },
  {
    name: 'hey-api',
    needs: [],
    files: { 'hey-api.ts': 'drive.ts', 'tsconfig.json': 'tsconfig.json' },
    steps: [
      {
        title: 'generate',
        command: ['openapi-ts', '--input', DESCRIPTION_FILE, '--output', 'client', '--no-log-file'],
      },
      compileTypeScript,
      driveTypeScript,
    ],
  },
];

/** The admin of API Platform, which reads the Hydra documentation instead of OpenAPI (decision 0027). */
const API_PLATFORM_ADMIN: Client = {
  name: 'api-platform-admin',
  needs: [['npm', '--version']],
  files: { 'api-platform-admin.ts': 'drive.ts', 'api-platform-admin.json': 'package.json' },
  steps: [
    { title: 'install', command: ['npm', 'install', '--no-audit', '--no-fund', '--no-progress'] },
    { title: 'drive', command: ['node', '--import', 'tsx', 'drive.ts'] },
  ],
};

/** Python packages with the other generators, in a virtual environment that `npm run check:clients` makes. */
export const GENERATORS = ['openapi-generator-cli==7.26.0', 'openapi-python-client==0.29.1'] as const;

/** It comes as a .NET tool. Where it is, it only generates: nothing drives its client yet. */
const KIOTA: Client = {
  name: 'kiota',
  needs: [['kiota', '--version']],
  files: {},
  steps: [
    {
      title: 'generate',
      command: ['kiota', 'generate', '--language', 'typescript', '--openapi', DESCRIPTION_FILE],
    },
  ],
};

const JAVA = ['java', '--version'] as const;
const openapiGenerator = (name: string, ...options: readonly string[]): Step => ({
  title: 'generate',
  command: [
    'openapi-generator-cli',
    'generate',
    ...['--generator-name', name, '--input-spec', DESCRIPTION_FILE, '--output', 'client'],
    ...['--global-property', 'apiTests=false,modelTests=false,apiDocs=false,modelDocs=false'],
    ...options,
  ],
});

/** What needs more than npm: `npm run check:clients` runs these too, and says of each what is missing here. */
export const OTHER_CLIENTS: readonly Client[] = [
  {
    name: 'openapi-generator typescript-fetch',
    needs: [JAVA, ['openapi-generator-cli', 'version']],
    files: { 'typescript-fetch.ts': 'drive.ts', 'tsconfig.json': 'tsconfig.json' },
    steps: [openapiGenerator('typescript-fetch'), compileTypeScript, driveTypeScript],
  },
  {
    name: 'openapi-generator python',
    needs: [JAVA, ['openapi-generator-cli', 'version']],
    files: { 'openapi_generator.py': 'client/drive.py' },
    steps: [
      openapiGenerator('python', '--package-name', 'shipments'),
      {
        title: 'install',
        command: ['pip', 'install', '--quiet', '--requirement', 'client/requirements.txt'],
      },
      { title: 'compile', command: ['python', '-m', 'compileall', '-q', 'client'] },
      { title: 'drive', command: ['python', 'client/drive.py'] },
    ],
  },
  {
    name: 'openapi-generator java',
    needs: [JAVA, ['openapi-generator-cli', 'version'], ['mvn', '--version']],
    files: { 'Drive.java': 'client/src/main/java/Drive.java' },
    steps: [
      openapiGenerator(
        'java',
        ...['--library', 'native', '--additional-properties', 'useSingleRequestParameter=true'],
      ),
      {
        title: 'compile',
        command: ['mvn', '--quiet', '--batch-mode', 'compile', 'dependency:copy-dependencies'],
        folder: 'client',
      },
      {
        title: 'drive',
        command: ['java', '-classpath', 'target/classes:target/dependency/*', 'Drive'],
        folder: 'client',
      },
    ],
  },
  {
    name: 'openapi-generator go',
    needs: [JAVA, ['openapi-generator-cli', 'version'], ['go', 'version']],
    files: { 'drive.go': 'client/cmd/drive/main.go' },
    steps: [
      openapiGenerator(
        'go',
        ...['--package-name', 'shipments', '--git-host', 'example.com'],
        ...['--git-user-id', 'shop', '--git-repo-id', 'shipments'],
      ),
      { title: 'install', command: ['go', 'mod', 'tidy'], folder: 'client' },
      { title: 'compile', command: ['go', 'vet', './...'], folder: 'client' },
      { title: 'drive', command: ['go', 'run', './cmd/drive'], folder: 'client' },
    ],
  },
  {
    name: 'openapi-python-client',
    needs: [['openapi-python-client', '--version']],
    files: { 'openapi_python_client.py': 'drive.py', 'openapi-python-client.yml': 'config.yml' },
    steps: [
      {
        title: 'generate',
        command: [
          'openapi-python-client',
          'generate',
          ...[
            '--path',
            DESCRIPTION_FILE,
            '--output-path',
            'client',
            '--meta',
            'none',
            '--config',
            'config.yml',
          ],
          '--fail-on-warning',
        ],
      },
      { title: 'compile', command: ['python', '-m', 'compileall', '-q', 'client'] },
      { title: 'drive', command: ['python', 'drive.py'] },
    ],
  },
  API_PLATFORM_ADMIN,
  KIOTA,
];

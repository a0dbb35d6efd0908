/** The engines that the test runner started for all test files of a run. */
export interface TestEngines {
  /** Reaches the database `postgres` as the superuser: for making databases of one's own. */
  readonly postgresAdminUrl: string;
  /** Host and port of a real Temporal server, with the namespace `default` and the search attributes. */
  readonly temporalAddress: string;
  /** Path for `{ type: 'existing-path', path }` of TestWorkflowEnvironment.createTimeSkipping. */
  readonly timeSkippingServerPath: string;
  /** PEM files of the certificate authority that issues certificates for tests' HTTPS receivers. */
  readonly authorityCertificateFile: string;
  readonly authorityKeyFile: string;
}

/** Returns where the engines are. Throws, saying what to do, in a test that was started without them. */
export function testEngines(environment: NodeJS.ProcessEnv = process.env): TestEngines {
  return {
    postgresAdminUrl: read(environment, 'TEST_POSTGRES_URL'),
    temporalAddress: read(environment, 'TEST_TEMPORAL_ADDRESS'),
    timeSkippingServerPath: read(environment, 'TEST_TIME_SKIPPING_SERVER'),
    authorityCertificateFile: read(environment, 'TEST_CA_FILE'),
    authorityKeyFile: read(environment, 'TEST_CA_KEY_FILE'),
  };
}

function read(environment: NodeJS.ProcessEnv, name: string): string {
  const value = environment[name];
  if (value !== undefined && value !== '') return value;
  throw new Error(
    `${name} is not set: this test needs the engines. Run it with \`npm test -- FILE\`, or keep them running with \`npm run engines:test\`.`,
  );
}

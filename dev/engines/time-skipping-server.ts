import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { takeLock } from '../lock-file.mjs';
import { cacheFolder } from './cache-folder.ts';
import { withProgress, type Say } from './progress.ts';
import { firstOf, type Found, type NotFound } from './provision.ts';
import { runProgram } from './run-program.ts';
import { downloadWithSdk } from './sdk-download.ts';

const JAR_VERSION = '1.30.1';
const ADVICE = 'Install Java 11 or later and Maven, or set TEMPORAL_TEST_SERVER_PATH, and try again.';
const isWindows = process.platform === 'win32';

/**
 * Finds or makes the executable of Temporal's time-skipping test server. It tries, in this order,
 * TEMPORAL_TEST_SERVER_PATH, the cache folder, the SDK's download, its jar by Maven behind a launcher.
 * Throws one error that lists everything tried.
 */
export async function findTimeSkippingServer(environment: NodeJS.ProcessEnv, say: Say): Promise<string> {
  const folder = cacheFolder(environment);
  const fromJar = join(
    folder,
    `temporal-test-server-${JAR_VERSION}`,
    isWindows ? 'test-server.cmd' : 'test-server',
  );
  const downloaded = join(
    folder,
    'temporal-test-server-of-sdk',
    isWindows ? 'test-server.exe' : 'test-server',
  );
  const quick = [
    {
      description: 'TEMPORAL_TEST_SERVER_PATH',
      find: () => fromSetting(environment['TEMPORAL_TEST_SERVER_PATH']),
    },
    { description: `the cache folder (${folder})`, find: () => fromCache([downloaded, fromJar]) },
  ];
  const slow = [
    {
      description: "the download of Temporal's SDK",
      find: () => downloadWithSdk('time-skipping', downloaded),
    },
    { description: 'its jar by Maven', find: () => installJar(fromJar, environment, say) },
  ];
  for (const way of quick) {
    const result = await way.find();
    if ('path' in result) return result.path;
  }
  const release = await takeLock(join(folder, 'temporal-test-server.lock'), {
    onWait: (pid) =>
      say(`Waiting for another command (process ${pid}) that is fetching the time-skipping server…`),
  });
  try {
    return await firstOf("Temporal's time-skipping test server", [...quick, ...slow], ADVICE);
  } finally {
    release();
  }
}

function fromSetting(path: string | undefined): Promise<Found | NotFound> {
  if (path === undefined || path === '') return Promise.resolve({ reason: 'not set' });
  return Promise.resolve(existsSync(path) ? { path } : { reason: `there is no file ${path}` });
}

function fromCache(paths: readonly string[]): Promise<Found | NotFound> {
  const path = paths.find((candidate) => existsSync(candidate));
  return Promise.resolve(path === undefined ? { reason: 'it has no copy yet' } : { path });
}

async function installJar(
  target: string,
  environment: NodeJS.ProcessEnv,
  say: Say,
): Promise<Found | NotFound> {
  const java = await runProgram('java', ['-version']).catch(() => undefined);
  if (java?.exitCode !== 0) return { reason: 'Java is not installed' };
  const maven = isWindows ? 'mvn.cmd' : 'mvn';
  if ((await runProgram(maven, ['-v']).catch(() => undefined))?.exitCode !== 0) {
    return { reason: 'Maven is not installed' };
  }
  say("Fetching Temporal's time-skipping test server by Maven (once; up to a minute)…");
  await mkdir(dirname(dirname(target)), { recursive: true });
  const buildFolder = await mkdtemp(join(dirname(dirname(target)), 'test-server-'));
  try {
    await writeFile(join(buildFolder, 'pom.xml'), POM);
    const result = await withProgress("fetching the test server's libraries", say, () =>
      runProgram(maven, MAVEN_ARGUMENTS, { folder: buildFolder, environment }),
    );
    if (result.exitCode !== 0) return { reason: `Maven failed: ${firstError(result.output)}` };
    const libraries = await readdir(join(buildFolder, 'lib'));
    if (!libraries.some((name) => name.startsWith('temporal-test-server')))
      return { reason: 'Maven left no jar' };
    const launcher = join(buildFolder, target.slice(dirname(target).length + 1));
    await writeFile(launcher, isWindows ? WINDOWS_LAUNCHER : LAUNCHER);
    await chmod(launcher, 0o755);
    await rm(dirname(target), { recursive: true, force: true });
    await rename(buildFolder, dirname(target));
    return { path: target };
  } finally {
    await rm(buildFolder, { recursive: true, force: true });
  }
}

function firstError(output: string): string {
  return output.split('\n').find((line) => line.includes('ERROR')) ?? output.trim().slice(-300);
}

const MAVEN_ARGUMENTS = [
  ...['--batch-mode', '--quiet', 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies'],
  ...['-DincludeScope=runtime', '-DoutputDirectory=lib'],
];

const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>local</groupId>
  <artifactId>test-server</artifactId>
  <version>1</version>
  <dependencies>
    <dependency>
      <groupId>io.temporal</groupId>
      <artifactId>temporal-test-server</artifactId>
      <version>${JAR_VERSION}</version>
    </dependency>
    <!-- Without a logger the server writes three lines about its absence into every test. -->
    <dependency>
      <groupId>org.slf4j</groupId>
      <artifactId>slf4j-nop</artifactId>
      <version>1.7.36</version>
    </dependency>
  </dependencies>
</project>
`;

/** The SDK waits five seconds for the server: these settings trade peak speed for a quick start. */
const JAVA_OPTIONS = '-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xshare:auto';

/** With \`exec\` the launcher becomes the server: without it the server outlives the process that the SDK ends. */
const LAUNCHER = `#!/bin/sh
folder=$(dirname "$0")
exec java ${JAVA_OPTIONS} -cp "$folder/lib/*" io.temporal.testserver.TestServer "$@"
`;

const WINDOWS_LAUNCHER = `@java ${JAVA_OPTIONS} -cp "%~dp0lib\\*" io.temporal.testserver.TestServer %*\r\n`;

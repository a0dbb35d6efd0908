import { chmod, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runProgram } from './run-program.ts';

export const JAR_VERSION = '1.30.1';
const isWindows = process.platform === 'win32';
/** The file that starts the server as a program would. */
export const JAR_LAUNCHER = isWindows ? 'test-server.cmd' : 'test-server';

/** Fetches the jars of Temporal's time-skipping server and makes a launcher for them. Throws without Java or Maven. */
export async function fetchJar(folder: string, launcher: string): Promise<void> {
  await runProgram('java', ['-version']).catch(() => {
    throw new Error('Java is not installed');
  });
  await writeFile(join(folder, 'pom.xml'), POM);
  const maven = isWindows ? 'mvn.cmd' : 'mvn';
  const { output } = await runProgram(maven, MAVEN_ARGUMENTS, { cwd: folder }).catch(() => {
    throw new Error('Maven is not installed');
  });
  const libraries = await readdir(join(folder, 'lib')).catch((): string[] => []);
  if (!libraries.some((name) => name.startsWith('temporal-test-server'))) {
    throw new Error(output.split('\n').find((line) => line.includes('ERROR')) ?? 'Maven fetched no jar');
  }
  await writeFile(launcher, isWindows ? WINDOWS_LAUNCHER : SHELL_LAUNCHER);
  await chmod(launcher, 0o755);
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
const SHELL_LAUNCHER = `#!/bin/sh
folder=$(dirname "$0")
exec java ${JAVA_OPTIONS} -cp "$folder/lib/*" io.temporal.testserver.TestServer "$@"
`;

const WINDOWS_LAUNCHER = `@java ${JAVA_OPTIONS} -cp "%~dp0lib\\*" io.temporal.testserver.TestServer %*\r\n`;

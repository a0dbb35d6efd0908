// `npm run check:deploy`: reads the files of the container deployment with the tools that people deploy with. None of them is
// a package of Node, so `npm test` never needs them; a tool that is not installed here is named, with where it comes from.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { say, withProgress } from './engines/progress.mjs';
import { runProgram } from './engines/run-program.ts';

interface DeployCheck {
  readonly title: string;
  /** The program and its arguments. */
  readonly command: readonly [program: string, ...words: string[]];
  /** Words with which the program succeeds when it is installed. */
  readonly probe: readonly string[];
  /** What has to be installed, and where it comes from. */
  readonly tool: string;
}

const PROMTOOL = {
  probe: ['--version'],
  tool: 'promtool, which comes with Prometheus (https://prometheus.io/download/; Debian’s package prometheus)',
} as const;

async function shellScripts(): Promise<readonly string[]> {
  const folders = ['docker', join('docker', 'temporal')];
  const names = await Promise.all(
    folders.map(async (folder) => (await readdir(folder)).map((name) => join(folder, name))),
  );
  return names.flat().filter((name) => name.endsWith('.sh'));
}

/** What kubeconform reads: kinds of Kubernetes itself. */
async function manifests(): Promise<readonly string[]> {
  const folder = join('kubernetes', 'base');
  const names = (await readdir(folder)).filter((name) => name !== 'kustomization.yaml');
  return names.map((name) => join(folder, name));
}

async function deployChecks(): Promise<readonly DeployCheck[]> {
  return [
    {
      title: 'docker-compose.yml is valid',
      command: ['docker', 'compose', '--file', 'docker-compose.yml', 'config', '--quiet'],
      probe: ['compose', 'version'],
      tool: 'Docker Compose (https://docs.docker.com/compose/install/)',
    },
    {
      title: 'the Dockerfile follows the rules of hadolint',
      command: ['hadolint', 'Dockerfile'],
      probe: ['--version'],
      tool: 'hadolint (https://github.com/hadolint/hadolint)',
    },
    {
      title: 'shell scripts follow the rules of ShellCheck',
      command: ['shellcheck', ...(await shellScripts())],
      probe: ['--version'],
      tool: 'ShellCheck (https://www.shellcheck.net)',
    },
    {
      title: 'the alerts are valid',
      command: ['promtool', 'check', 'rules', join('ops', 'prometheus', 'alerts.yml')],
      ...PROMTOOL,
    },
    {
      title: 'the example of Prometheus’ configuration is valid',
      command: ['promtool', 'check', 'config', join('ops', 'prometheus', 'prometheus.yml')],
      ...PROMTOOL,
    },
    {
      title: 'the Kubernetes base can be rendered',
      command: ['kubectl', 'kustomize', join('kubernetes', 'base')],
      probe: ['version', '--client'],
      tool: 'kubectl (https://kubernetes.io/docs/tasks/tools/)',
    },
    {
      title: 'the Kubernetes base keeps the schemas of its kinds',
      command: ['kubeconform', '-strict', '-summary', ...(await manifests())],
      probe: ['-v'],
      tool: 'kubeconform (https://github.com/yannh/kubeconform)',
    },
  ];
}

async function isInstalled({ command: [program], probe }: DeployCheck): Promise<boolean> {
  try {
    return (await runProgram(program, probe)).exitCode === 0;
  } catch {
    return false;
  }
}

/** Runs what is installed. Resolves to false when a check fails, or when none could run. */
async function checkDeployment(): Promise<boolean> {
  const tally = { passed: 0, failed: 0, missing: 0 };
  for (const check of await deployChecks()) {
    const [program, ...words] = check.command;
    if (!(await isInstalled(check))) {
      say(`- ${check.title}: not checked, ${check.tool} is not installed`);
      tally.missing += 1;
      continue;
    }
    const { exitCode, output } = await withProgress(check.title, () => runProgram(program, words));
    say(exitCode === 0 ? `✔ ${check.title}` : `✘ ${check.title}\n${output.trim()}`);
    if (exitCode === 0) tally.passed += 1;
    else tally.failed += 1;
  }
  say(`${tally.passed} passed, ${tally.failed} failed, ${tally.missing} not checked`);
  return tally.failed === 0 && tally.passed > 0;
}

process.exitCode = (await checkDeployment()) ? 0 : 1;

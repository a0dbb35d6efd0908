import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { hashPassword } from '../../../api/auth/passwords.ts';
import { createUser } from '../../../store/accounts/users.ts';
import type { BenchCase, CaseContext, Measurement, Result } from '../../case.ts';
import type { Organization } from '../../cast.ts';
import { makeOrganization } from '../../cast.ts';
import { openHttp } from '../../http-client.ts';
import type { HttpClient } from '../../http-client.ts';
import { show } from '../../report.ts';
import { compare, median, quantile } from '../../rounds.ts';

const WRONG_LOGINS_PER_SECOND = 50;
const REAL_LOGINS = 25;
const REAL_LOGIN_INTERVAL_MS = 400;
const AIM_MS = 1_000;
const MS_PER_SECOND = 1_000;
/** More than wrong logins can be under way at a time. */
const CONNECTIONS = 500;
const PASSWORD = 'correct horse battery staple';
/** The loopback network has an address for each stranger (Linux). */
const HOME_ADDRESS = '127.0.0.2';

/** A real login, alone and while another address tries wrong passwords, each for another account. */
export const logins: BenchCase = {
  name: 'neighbour-logins',
  title: `A real login, alone and next to ${WRONG_LOGINS_PER_SECOND} wrong logins a second of another address`,
  run: async (context) => {
    const home = openHttp(context.deployment.baseUrl, REAL_LOGINS, HOME_ADDRESS);
    const organization = await makeOrganization(context.deployment);
    const passwordHash = await hashPassword(PASSWORD);
    try {
      return await measure({ context, home, organization, passwordHash });
    } finally {
      await home.close();
    }
  },
};

interface Stage {
  readonly context: CaseContext;
  readonly home: HttpClient;
  readonly organization: Organization;
  readonly passwordHash: string;
}

/** How long the real logins of one round took, in ms, and what the wrong ones were answered. */
interface Round {
  readonly times: readonly number[];
  readonly wrong: readonly number[];
}

async function measure(stage: Stage): Promise<readonly (Result | Measurement)[]> {
  const { rounds, onRound } = stage.context;
  const flooded: Round[] = [];
  const alone: Round[] = [];
  const ours = {
    name: 'p50 next to the wrong logins',
    run: async () => {
      // A new address for each round: its first seconds, before its limit holds, are the worst.
      const round = await nextToStranger(stage, `127.0.1.${flooded.length + 1}`);
      flooded.push(round);
      return median(round.times);
    },
  };
  const bare = {
    name: 'p50 alone',
    run: async () => {
      const times = await realLogins(stage);
      alone.push({ times, wrong: [] });
      return median(times);
    },
  };
  const comparison = await compare(ours, bare, rounds, onRound);
  const counted = flooded.slice(1);
  const slowest = counted.map(({ times }) => Math.max(...times));
  const answers = counted.flatMap(({ wrong }) => wrong);
  return [
    {
      figure: 'a real login next to the wrong ones, the slowest of a round',
      unit: 'ms',
      aim: { atMost: AIM_MS },
      rounds: slowest,
      remarks: [
        remarkOn('next to them', counted),
        remarkOn('alone', alone.slice(1)),
        remarkOnAnswers(answers),
      ],
      voidBecause: [],
    },
    {
      figure: 'a real login next to the wrong ones, p50 through p50 alone',
      unit: 'ms',
      aim: null,
      oursName: ours.name,
      bareName: bare.name,
      ...comparison,
    },
  ];
}

/** Makes the real logins while a stranger at an address sends wrong ones at an even rate, whatever is still open. */
async function nextToStranger(stage: Stage, address: string): Promise<Round> {
  const stranger = openHttp(stage.context.deployment.baseUrl, CONNECTIONS, address);
  const state = { isOver: false };
  const flood = async (): Promise<readonly number[]> => {
    const begin = performance.now();
    const answers: Promise<number>[] = [];
    while (!state.isOver) {
      const dueAt = begin + (answers.length / WRONG_LOGINS_PER_SECOND) * MS_PER_SECOND;
      await delay(Math.max(0, dueAt - performance.now()));
      answers.push(login(stranger, `${randomUUID()}@example.com`, 'wrong'));
    }
    return Promise.all(answers);
  };
  const wrong = flood();
  try {
    const times = await realLogins(stage).finally(() => {
      state.isOver = true;
    });
    return { times, wrong: await wrong };
  } finally {
    await stranger.close();
  }
}

/** Each by a user of its own, from one address; resolves to how long each took, in ms. Rejects where one is refused. */
async function realLogins(stage: Stage): Promise<readonly number[]> {
  const count = stage.context.isQuick ? 3 : REAL_LOGINS;
  const emails: string[] = [];
  while (emails.length < count) emails.push(await makeUserOf(stage));
  return Promise.all(
    emails.map(async (email, index) => {
      await delay(index * REAL_LOGIN_INTERVAL_MS);
      const begin = performance.now();
      const status = await login(stage.home, email, PASSWORD);
      if (status !== 200) throw new Error(`a real login was answered ${status}`);
      return performance.now() - begin;
    }),
  );
}

async function login(http: HttpClient, email: string, password: string): Promise<number> {
  return (await http.send('POST', '/login_check', { body: { email, password } })).status;
}

async function makeUserOf({ context, organization, passwordHash }: Stage): Promise<string> {
  const email = `${randomUUID()}@example.com`;
  await createUser(context.deployment.database, {
    organizationId: organization.id,
    email,
    passwordHash,
    role: 'ROLE_DISPATCHER',
    firstName: 'Bench',
    lastName: 'Login',
    merchantId: null,
  });
  return email;
}

function remarkOn(where: string, rounds: readonly Round[]): string {
  const times = rounds.flatMap((round) => round.times);
  return `${where}: p50 ${show(quantile(times, 0.5))}, p95 ${show(quantile(times, 0.95))}, at most ${show(Math.max(...times))} ms`;
}

function remarkOnAnswers(statuses: readonly number[]): string {
  const counts = [...new Set(statuses)]
    .sort((left, right) => left - right)
    .map((status) => {
      const count = statuses.filter((other) => other === status).length;
      return `${count} times ${status}`;
    });
  return `the wrong logins were answered ${counts.join(', ')}`;
}

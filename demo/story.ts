// `npm run story`: the main job told against a running service, over HTTP alone, every answer held to the contract.
// `npm run story -- --all`: all shipments of the input file, 20 at a time.
import { join } from 'node:path';
import { findPickupPoint, signIn } from './story/cast.ts';
import { Checks } from './story/checks.ts';
import { ServiceClient } from './story/client.ts';
import { findDeployment, inputFile, readJson } from './story/deployment.ts';
import { tellFourShipments } from './story/four-shipments.ts';
import { readStoryShipments } from './story/input.ts';
import { Mailbox } from './story/mailbox.ts';
import { StoryStopped } from './story/reading.ts';
import type { Receiver } from './story/receiver.ts';
import { tellExchanges } from './story/telling.ts';
import { Terminal, wantsColour } from './story/terminal.ts';
import { SettingsDesk } from './story/webhook-settings.ts';
import { tellWholeFile } from './story/whole-file.ts';

/** Contract «Retry policy». */
const WEBHOOK_ATTEMPTS = 3;

const projectFolder = join(import.meta.dirname, '..');
const isTerminal = process.stdout.isTTY;
const terminal = new Terminal((text) => void process.stdout.write(text), {
  isTerminal,
  isColourful: wantsColour(isTerminal, process.env),
});
// A closed terminal must not keep the organization from being left as it was found.
process.stdout.on('error', () => undefined);
const checks = new Checks(terminal);

async function tell(isWholeFile: boolean, interrupted: Promise<never>): Promise<void> {
  const deployment = await findDeployment(process.env, projectFolder);
  const input = readStoryShipments(await readJson(inputFile(projectFolder)));
  const { bold, dim } = terminal.palette;
  terminal.line(`${bold('The story of a parcel')}, told against ${deployment.baseUrl}`);
  terminal.line(dim(`${deployment.organization.name}, plan ${deployment.organization.plan}`));
  const client = new ServiceClient(deployment.baseUrl, tellExchanges(terminal));
  terminal.heading('0  Everybody signs in');
  const cast = await signIn(client, deployment, checks);
  const pickupPointIri = await findPickupPoint(client, cast.merchant, checks);
  const desk = new SettingsDesk(client, cast.admin, deployment.organization);
  const mailbox = new Mailbox(WEBHOOK_ATTEMPTS);
  let receiver: Receiver | undefined;
  const telling = {
    stage: { client, checks, cast, pickupPointIri },
    ...{ desk, deployment, terminal, mailbox, input },
    onReceiver: (opened: Receiver) => (receiver = opened),
  };
  try {
    await Promise.race([isWholeFile ? tellWholeFile(telling) : tellFourShipments(telling), interrupted]);
  } finally {
    terminal.endStatus();
    terminal.heading('The organization is left as it was found');
    await desk.restore();
    await receiver?.close();
  }
}

function conclude(isTold: boolean): void {
  const { bold, green, red } = terminal.palette;
  terminal.line();
  if (checks.differences.length === 0) {
    const colour = isTold ? green : (text: string) => text;
    terminal.line(colour(bold(`${checks.count} checks against the contract, no difference.`)));
    return;
  }
  terminal.line(
    red(bold(`${checks.differences.length} of ${checks.count} checks differ from the contract:`)),
  );
  for (const difference of checks.differences) terminal.line(red(`  ✘ ${difference}`));
  process.exitCode = 1;
}

const interrupted = new Promise<never>((_, reject) => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      reject(new StoryStopped('Interrupted.'));
    });
  }
});
interrupted.catch(() => undefined);

try {
  await tell(process.argv.includes('--all'), interrupted);
  conclude(true);
} catch (error) {
  if (!(error instanceof StoryStopped)) throw error;
  if (checks.count > 0) conclude(false);
  terminal.line(terminal.palette.red(`The story stopped: ${error.message}`));
  process.exitCode = 1;
}
// What was interrupted may still wait for answers; nothing of it is wanted any more.
process.exit();

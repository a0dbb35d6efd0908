import test from 'ava';
import { useService } from '../harness/use-service.ts';
import { PACKAGE_CLIENTS } from './clients.ts';
import { fetchDescription, makeDriveSettings } from './drive-settings.ts';
import { runClient } from './run-client.ts';

const service = useService();

test.before(async () => {
  await fetchDescription(service);
});

// One after another: each compiles a client, which takes a processor.
for (const client of PACKAGE_CLIENTS) {
  test.serial(`200 the client of ${client.name} compiles and drives a delivery to its end`, async (t) => {
    t.deepEqual(await runClient(client, await makeDriveSettings(service)), { kind: 'passed' });
  });
}

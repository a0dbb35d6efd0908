// `npm run search-attributes`: registers on the Temporal cluster of TEMPORAL_ADDRESS, in TEMPORAL_NAMESPACE, what ops
// look shipments up by. Harmless when repeated. Temporal Cloud has a command of its own for it: docs/deployment.md.
import { loadTemporalConfig } from '../platform/config.ts';
import { createTemporalClient } from '../platform/temporal.ts';
import { registerSearchAttributes } from './search-attributes/register.ts';

try {
  const settings = loadTemporalConfig(process.env);
  const { connection } = createTemporalClient(settings);
  try {
    const added = await registerSearchAttributes({ connection, namespace: settings.namespace });
    console.log(
      added.length === 0
        ? `The namespace ${settings.namespace} has every search attribute.`
        : `Registered in the namespace ${settings.namespace}: ${added.join(', ')}`,
    );
  } finally {
    await connection.close();
  }
} catch (error) {
  console.error(
    `No search attribute was registered: ${error instanceof Error ? error.message : String(error)}`,
  );
  process.exitCode = 1;
}

// Asks a health page, for containers: `node health-check.js http://127.0.0.1:8080/health/ready`. Its exit code is 0
// when the answer is 2xx, else 1, with the reason.
const TIMEOUT_MS = 4_000;

const [url] = process.argv.slice(2);
try {
  if (url === undefined) throw new Error('Usage: health-check URL');
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  const text = await response.text();
  process.stdout.write(`${response.status} ${text}\n`);
  if (!response.ok) process.exitCode = 1;
} catch (error) {
  process.stdout.write(`${url ?? ''} ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

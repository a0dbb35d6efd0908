// A webhook receiver in Node without any package: `WEBHOOK_SECRET=whsec_… PORT=9000 node receiver.mjs`.
// Put it behind HTTPS: the service sends to https:// addresses alone.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const secret = process.env.WEBHOOK_SECRET;
const seen = new Set();

/** A request that someone recorded and repeats later than this is rejected. */
const TOLERANCE_SECONDS = 300;

/** The header is `t=<seconds>,v1=<hex>`, with one `v1` for each secret that is valid. */
function isGenuine(rawBody, header = '') {
  const parts = header.split(',').map((part) => part.split('='));
  const seconds = parts.find(([name]) => name === 't')?.[1];
  if (!(Math.abs(Date.now() / 1000 - Number(seconds)) <= TOLERANCE_SECONDS)) return false;
  const expected = createHmac('sha256', secret).update(`${seconds}.`).update(rawBody).digest();
  return parts.some(([name, value = '']) => {
    const given = Buffer.from(name === 'v1' ? value : '', 'hex');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    // The signature is over these very bytes: parse them only after it was checked.
    const rawBody = Buffer.concat(chunks);
    if (!isGenuine(rawBody, request.headers['x-service-timestamped-signature'])) {
      response.writeHead(401).end();
      return;
    }
    // Answer first, work afterwards: there are ten seconds.
    response.writeHead(204).end();
    const event = JSON.parse(rawBody);
    const key = `${event.shipmentId} ${event.taskStatus} ${event.updatedAt}`;
    if (seen.has(key)) return;
    seen.add(key);
    console.log(event.updatedAt, event.trackingNumber, event.status, event.taskType, event.taskStatus);
  });
}).listen(Number(process.env.PORT ?? 9000), () => console.log('listening'));

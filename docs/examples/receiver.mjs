// A webhook receiver in Node without any package: `WEBHOOK_SECRET=whsec_… PORT=9000 node receiver.mjs`.
// Put it behind HTTPS: the service sends to https:// addresses alone.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const secret = process.env.WEBHOOK_SECRET;
const seen = new Set();

function isGenuine(rawBody, header) {
  const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(rawBody).digest('hex')}`);
  const given = Buffer.from(header ?? '');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    // The signature is over these very bytes: parse them only after it was checked.
    const rawBody = Buffer.concat(chunks);
    if (!isGenuine(rawBody, request.headers['x-service-signature'])) {
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

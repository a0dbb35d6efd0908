import test from 'ava';
import { makeOrganization, makeUser, shipmentBodyWith } from '../../harness/make.ts';
import type { MadeUser } from '../../harness/make.ts';
import { at, send, textAt } from '../../harness/request.ts';
import { useService } from '../../harness/use-service.ts';

const service = useService({ withWorkers: false });

async function shipmentOf(user: MadeUser): Promise<{ id: string; trackingNumber: string }> {
  const created = await send(service, 'POST', '/shipments', { token: user.token, body: shipmentBodyWith() });
  return { id: textAt(created.body, 'id'), trackingNumber: textAt(created.body, 'trackingNumber') };
}

async function dispatcher(): Promise<MadeUser> {
  return makeUser(service, await makeOrganization(service), 'ROLE_DISPATCHER');
}

test('200 the delivery note is a PDF, also for Accept */*', async (t) => {
  const user = await dispatcher();
  const { id, trackingNumber } = await shipmentOf(user);
  for (const accept of ['application/pdf', '*/*']) {
    const note = await send(service, 'GET', `/shipments/${id}/delivery-note`, {
      token: user.token,
      headers: { accept, 'accept-language': 'fr' },
    });
    t.is(note.status, 200);
    t.is(note.headers.get('content-type'), 'application/pdf');
    t.is(note.bytes.subarray(0, 5).toString(), '%PDF-');
    t.true(note.headers.get('content-disposition')?.includes(trackingNumber));
  }
});

test('200 the delivery note is in the language that Accept-Language prefers, else in English', async (t) => {
  const user = await dispatcher();
  const { id } = await shipmentOf(user);
  for (const [accepted, language] of [
    ['fr-CA, en;q=0.9', 'fr'],
    ['de, fr;q=0.5, en;q=0.4', 'fr'],
    ['en-GB, fr;q=0.9', 'en'],
    ['fr;q=0', 'en'],
    ['de', 'en'],
  ] as const) {
    const note = await send(service, 'GET', `/shipments/${id}/delivery-note`, {
      token: user.token,
      headers: { 'accept-language': accepted },
    });
    t.true(note.bytes.includes(`/Lang (${language})`), accepted);
  }
});

test('406 the delivery note is nothing but a PDF', async (t) => {
  const user = await dispatcher();
  const { id } = await shipmentOf(user);
  const note = await send(service, 'GET', `/shipments/${id}/delivery-note`, {
    token: user.token,
    headers: { accept: 'application/json' },
  });
  t.is(note.status, 406);
});

test('200 label assets are data URIs in the format that was asked for', async (t) => {
  const user = await dispatcher();
  const { id, trackingNumber } = await shipmentOf(user);
  const png = await send(service, 'GET', `/shipments/${id}/label-assets`, { token: user.token });
  t.is(png.status, 200);
  t.is(at(png.body, 'trackingNumber'), trackingNumber);
  t.regex(textAt(png.body, 'qrCode'), /^data:image\/png;base64,/);
  t.true(textAt(png.body, 'trackingUrl').startsWith(`${service.config.publicUrl}/t/`));
  const svg = await send(service, 'GET', `/shipments/${id}/label-assets?format=svg`, { token: user.token });
  t.regex(textAt(svg.body, 'barcode'), /^data:image\/svg\+xml/);
});

test('200 the label is an A6 PDF with a page for each package', async (t) => {
  const user = await dispatcher();
  const { id } = await shipmentOf(user);
  const label = await send(service, 'GET', `/shipments/${id}/label-assets?packages=3`, {
    token: user.token,
    headers: { accept: 'application/pdf' },
  });
  t.is(label.status, 200);
  t.is(label.bytes.toString('latin1').match(/\/Type \/Page\b/g)?.length, 3);
});

test('400 an unknown format lists the known ones', async (t) => {
  const user = await dispatcher();
  const { id } = await shipmentOf(user);
  const answer = await send(service, 'GET', `/shipments/${id}/label-assets?format=gif`, {
    token: user.token,
  });
  t.is(answer.status, 400);
  t.true(textAt(answer.body, 'detail').includes('png, svg'));
});

test('200 labels and delivery notes of several shipments come as one PDF', async (t) => {
  const user = await dispatcher();
  const shipments = await Promise.all([shipmentOf(user), shipmentOf(user)]);
  const shipmentIds = shipments.map(({ id }) => id);
  for (const [path, pages] of [
    ['/shipments/labels', 2],
    ['/shipments/delivery-notes', 2],
  ] as const) {
    const answer = await send(service, 'POST', path, { token: user.token, body: { shipmentIds } });
    t.is(answer.status, 200);
    t.is(answer.bytes.toString('latin1').match(/\/Type \/Page\b/g)?.length, pages);
  }
});

test('422 names each shipment that is missing or foreign', async (t) => {
  const user = await dispatcher();
  const foreign = await shipmentOf(await dispatcher());
  const own = await shipmentOf(user);
  const answer = await send(service, 'POST', '/shipments/labels', {
    token: user.token,
    body: { shipmentIds: [own.id, foreign.id, 'nonsense'] },
  });
  t.is(answer.status, 422);
  t.is(at(answer.body, 'violations.0.propertyPath'), 'shipmentIds[1]');
  t.is(at(answer.body, 'violations.1.propertyPath'), 'shipmentIds[2]');
});

test('403 another organization’s shipment has no documents for us', async (t) => {
  const foreign = await shipmentOf(await dispatcher());
  const user = await dispatcher();
  for (const name of ['delivery-note', 'label-assets']) {
    const answer = await send(service, 'GET', `/shipments/${foreign.id}/${name}`, { token: user.token });
    t.is(answer.status, 403);
  }
});

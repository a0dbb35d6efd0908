import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { consumedTypes } from '../../api/http/body.ts';
import type { RouteDefinition } from '../../api/http/route.ts';

type Body = string | Uint8Array | undefined;

/** A body with the content type that it goes with. */
interface Form {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
}

/** What an endpoint is sent: the JSON text that was made for it, or a form where it takes one. */
export function oddForm(row: RouteDefinition, json: Body): fc.Arbitrary<Form> {
  const types = row.bodyJson === null ? ['application/json'] : consumedTypes(row);
  const [type = ''] = types;
  if (!type.startsWith('multipart/')) return fc.constant({ headers: { 'content-type': type }, body: json });
  return fc
    .record({
      boundary: fc.constantFrom('b', 'b', 'b', '-'.repeat(70), 'b'.repeat(300), "'()+_,-./:=?", ''),
      parts: fc.array(fc.constantFrom(...PARTS), { maxLength: 3 }),
      ending: fc.constantFrom('--\r\n', '--\r\n', '--', '', '\r\n'),
      cut: fc.constantFrom(0, 0, 0, 1, 10, 50),
    })
    .map(({ boundary, parts, ending, cut }) => {
      const chunks = parts.flatMap((part) => [Buffer.from(`--${boundary}\r\n`), part, Buffer.from('\r\n')]);
      const whole = Buffer.concat([...chunks, Buffer.from(`--${boundary}${ending}`)]);
      return {
        headers: { 'content-type': `multipart/form-data; boundary="${boundary}"` },
        body: whole.subarray(0, Math.max(0, whole.length - cut)),
      };
    });
}

const WORKBOOK = readFileSync(join(import.meta.dirname, 'shipments/import/workbooks/libreoffice.xlsx'));

function part(disposition: string, content: string | Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(`${disposition}\r\n\r\n`), Buffer.from(content)]);
}

const PARTS: readonly Buffer[] = [
  part('content-disposition: form-data; name="file"; filename="a.xlsx"', WORKBOOK),
  part('content-disposition: form-data; name="file"; filename="a.xlsx"', WORKBOOK.subarray(0, 2_000)),
  part('content-disposition: form-data; name="file"; filename="a.xlsx"', 'no workbook'),
  part('content-disposition: form-data; name="file"; filename=""', ''),
  part('content-disposition: form-data; name="other"; filename="\u0000/../x"', 'x'),
  part('content-disposition: form-data; name="file"', 'a field, no file'),
  part('content-disposition: form-data; name="merchant"', 'x'),
  part('content-disposition: form-data; name="merchant"', '\u0000'),
  part('content-disposition: form-data', 'x'),
  part("content-disposition: attachment; name=file; filename*=utf-8''%zz", 'x'),
  part(`content-type: text/plain; charset=nothing\r\nx: ${'y'.repeat(100_000)}`, 'x'),
  Buffer.from('no header at all'),
];

import { SaxesParser } from 'saxes';

import { damaged, WorkbookError } from './workbook-error.ts';

/** What happens while an XML part is read. Names come without their namespace prefix. */
export interface XmlHandlers {
  readonly open?: (name: string, attributes: Readonly<Record<string, string>>) => void;
  readonly text?: (text: string) => void;
  readonly close?: (name: string) => void;
}

/**
 * Reads an XML part as a stream: UTF-8 or UTF-16, as ECMA-376 part 2 demands.
 *
 * @throws WorkbookError `entities` for a document type (where entities are declared: ECMA-376 forbids
 *   it), `damaged` for anything that is not well-formed XML.
 */
export async function readXml(
  chunks: AsyncIterable<Uint8Array>,
  partName: string,
  handlers: XmlHandlers,
): Promise<void> {
  const parser = new SaxesParser({ position: false, xmlns: false });
  parser.on('doctype', () => {
    throw new WorkbookError(
      'entities',
      'The workbook declares XML entities, which no spreadsheet program does. Save it again as .xlsx and send that file.',
    );
  });
  if (handlers.open) {
    const { open } = handlers;
    parser.on('opentag', (tag) => open(localName(tag.name), tag.attributes));
  }
  if (handlers.text) parser.on('text', handlers.text);
  if (handlers.close) {
    const { close } = handlers;
    parser.on('closetag', (tag) => close(localName(tag.name)));
  }
  try {
    for await (const text of decoded(chunks)) parser.write(text);
    parser.close();
  } catch (error) {
    if (error instanceof WorkbookError) throw error;
    throw damaged(`“${partName}” is not readable XML`);
  }
}

/** Prefixes differ by program: Open XML SDK writes `x:row`, Excel `row`. */
export function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** `xsd:boolean`, as ECMA-376 writes it. */
export function isTrue(value: string | undefined): boolean {
  return value === '1' || value === 'true' || value === 'on';
}

async function* decoded(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decode: ((chunk?: Uint8Array) => string) | undefined;
  for await (const chunk of chunks) {
    decode ??= decoderFor(chunk);
    yield decode(chunk);
  }
  if (decode) yield decode();
}

/** Decodes chunk by chunk; throws a TypeError for bytes that are not text. */
function decoderFor(head: Uint8Array): (chunk?: Uint8Array) => string {
  const decoder = new TextDecoder(encodingOf(head), { fatal: true });
  return (chunk) => decoder.decode(chunk, { stream: chunk !== undefined });
}

function encodingOf(head: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  return 'utf-8';
}

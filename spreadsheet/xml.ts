import { SaxesParser } from 'saxes';

import { damaged, entities, WorkbookError } from './workbook-error.ts';

/** What happens while an XML part is read. Names come without their namespace prefix. */
export interface XmlHandlers {
  readonly open?: (name: string, attributes: Readonly<Record<string, string>>) => void;
  readonly text?: (text: string) => void;
  readonly close?: (name: string) => void;
}

/**
 * Reads an XML part as a stream. ECMA-376 part 2 allows UTF-16 too, which no spreadsheet program writes.
 *
 * @throws WorkbookError `entities` for a document type, `damaged` for anything that is not well-formed XML in UTF-8.
 */
export async function readXml(
  chunks: AsyncIterable<Uint8Array>,
  partName: string,
  handlers: XmlHandlers,
): Promise<void> {
  const parser = new SaxesParser({ position: false, xmlns: false });
  parser.on('doctype', () => {
    throw entities();
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
    const decoder = new TextDecoder('utf-8', { fatal: true });
    for await (const chunk of chunks) parser.write(decoder.decode(chunk, { stream: true }));
    parser.write(decoder.decode());
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

import { crc32 } from 'node:zlib';
import { fromBufferPromise } from 'yauzl';
import type { Entry, ZipFile } from 'yauzl';

import { say, sayAs } from '../domain/messages.ts';
import { MAX_PACKAGE_PARTS, MAX_UNPACKED_BYTES } from './limits.ts';
import { damaged, encrypted, tooLarge, WorkbookError } from './workbook-error.ts';

/** One file inside a ZIP. */
export interface ZipPart {
  /** Path with forward slashes, without a leading one. */
  readonly name: string;
  /**
   * Unpacks the file in chunks, and never more bytes than the table of contents announces.
   *
   * @throws WorkbookError `too_large` as soon as it unpacks to more, `damaged` for anything else that does not add up.
   */
  readonly unpack: () => AsyncGenerator<Uint8Array>;
}

/**
 * Reads the table of contents of a ZIP with yauzl; the limits and the checksums are ours.
 *
 * @throws WorkbookError `truncated` without an end record, `encrypted` for a password, `too_large` for
 *   too many parts or unpacked bytes, `damaged` for records that contradict each other.
 */
export async function readZip(file: Buffer): Promise<readonly ZipPart[]> {
  const zip = await open(file);
  if (zip.entryCount > MAX_PACKAGE_PARTS) {
    throw tooLarge(say('workbook_parts', { count: zip.entryCount, limit: MAX_PACKAGE_PARTS }));
  }
  const entries = await readEntries(zip);
  rejectTooLarge(entries);
  const parts = entries.map((entry): ZipPart => {
    const name = nameOf(entry);
    return { name, unpack: () => unpack(zip, entry, name) };
  });
  const names = new Set(parts.map(({ name }) => name.toLowerCase()));
  if (names.size !== parts.length) throw damaged('two of its parts have the same name');
  return parts;
}

async function open(file: Buffer): Promise<ZipFile> {
  try {
    // Names are decoded here: yauzl rejects the whole file for a name with a leading slash, which some programs write.
    return await fromBufferPromise(file, { lazyEntries: true, decodeStrings: false });
  } catch {
    throw new WorkbookError('truncated', say('workbook_truncated'));
  }
}

async function readEntries(zip: ZipFile): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  try {
    for await (const entry of zip.eachEntry()) entries.push(entry);
  } catch (error) {
    if (messageOf(error).includes('encryption')) throw encrypted();
    throw damaged('its table of contents is incomplete');
  }
  if (entries.some((entry) => entry.isEncrypted())) throw encrypted();
  return entries;
}

function nameOf({ fileNameRaw }: Entry): string {
  return fileNameRaw.toString('utf8').replaceAll('\\', '/').replace(/^\/+/u, '');
}

function rejectTooLarge(entries: readonly Entry[]): void {
  const unpackedBytes = entries.reduce((sum, entry) => sum + entry.uncompressedSize, 0);
  if (unpackedBytes <= MAX_UNPACKED_BYTES) return;
  throw tooLarge(
    say('workbook_unpacked', {
      megabytes: Math.ceil(unpackedBytes / 1e6),
      limit: Math.floor(MAX_UNPACKED_BYTES / 1e6),
    }),
  );
}

async function* unpack(zip: ZipFile, entry: Entry, name: string): AsyncGenerator<Uint8Array> {
  let checksum = 0;
  try {
    for await (const chunk of await zip.openReadStreamPromise(entry)) {
      if (!Buffer.isBuffer(chunk)) continue;
      checksum = crc32(chunk, checksum);
      yield chunk;
    }
  } catch (error) {
    if (messageOf(error).startsWith('too many bytes')) {
      throw tooLarge(
        sayAs('The workbook unpacks to more than its table of contents says.', say('workbook_too_large')),
      );
    }
    throw damaged(`«${name}» can't be unpacked`);
  }
  // yauzl checks sizes alone.
  if (checksum !== entry.crc32) throw damaged(`«${name}» is incomplete`);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : '';
}

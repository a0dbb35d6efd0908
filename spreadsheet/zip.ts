import { once } from 'node:events';
import { crc32, createInflateRaw } from 'node:zlib';

import { MAX_PACKAGE_PARTS, MAX_UNPACKED_BYTES } from './limits.ts';
import { damaged, WorkbookError } from './workbook-error.ts';

/** One file inside the ZIP, as its central directory describes it. */
export interface ZipEntry {
  /** Path with forward slashes, without a leading one. */
  readonly name: string;
  readonly method: number;
  readonly crc: number;
  readonly packedBytes: number;
  readonly bytes: number;
  /** Where the local record begins in the file. */
  readonly offset: number;
}

const END_RECORD = 0x06054b50;
const END_RECORD_BYTES = 22;
const DIRECTORY_RECORD = 0x02014b50;
const DIRECTORY_RECORD_BYTES = 46;
const LOCAL_RECORD = 0x04034b50;
const LOCAL_RECORD_BYTES = 30;
const MAX_COMMENT_BYTES = 65_535;
const ENCRYPTED_FLAG = 1;
const STORED = 0;
const DEFLATED = 8;
/** Stands for «see the ZIP64 field»; Apache POI writes it even for small files. */
const IN_ZIP64_FIELD = 0xffff_ffff;
const ZIP64_FIELD = 1;
const CHUNK_BYTES = 64 * 1024;

/**
 * Reads the central directory of a ZIP (APPNOTE 6.3.10; of ZIP64 the sizes alone, as 5 MB need no more).
 *
 * @throws WorkbookError `truncated` without an end record, `encrypted` for a password, `too_large` for
 *   too many parts or unpacked bytes, `damaged` for records that contradict each other.
 */
export function readDirectory(file: Buffer): readonly ZipEntry[] {
  const end = findEndRecord(file);
  const count = file.readUInt16LE(end + 10);
  if (count > MAX_PACKAGE_PARTS) {
    throw new WorkbookError('too_large', `The workbook has ${count} parts, more than ${MAX_PACKAGE_PARTS}.`);
  }
  const entries: ZipEntry[] = [];
  let at = file.readUInt32LE(end + 16);
  for (let index = 0; index < count; index++) {
    if (at + DIRECTORY_RECORD_BYTES > end || file.readUInt32LE(at) !== DIRECTORY_RECORD) {
      throw damaged('its table of contents is incomplete');
    }
    const next = at + DIRECTORY_RECORD_BYTES + variableBytes(file, at);
    if (next > end) throw damaged('its table of contents is incomplete');
    entries.push(readEntry(file, at));
    at = next;
  }
  refuseSuspicious(entries);
  return entries;
}

/**
 * Unpacks one entry in chunks of at most 64 kB and never more bytes than its directory record announces.
 *
 * @throws WorkbookError `too_large` as soon as it unpacks to more, `damaged` for anything else that
 *   does not add up.
 */
export async function* unpack(file: Buffer, entry: ZipEntry): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  let checksum = 0;
  for await (const chunk of rawChunks(packedBytesOf(file, entry), entry)) {
    bytes += chunk.length;
    if (bytes > entry.bytes) {
      throw new WorkbookError('too_large', 'The workbook unpacks to more than its table of contents says.');
    }
    checksum = crc32(chunk, checksum);
    yield chunk;
  }
  if (bytes !== entry.bytes || checksum !== entry.crc) throw damaged(`«${entry.name}» is incomplete`);
}

/** The end record is the last thing in the file, but for a comment of up to 64 kB. */
function findEndRecord(file: Buffer): number {
  const first = Math.max(0, file.length - END_RECORD_BYTES - MAX_COMMENT_BYTES);
  for (let at = file.length - END_RECORD_BYTES; at >= first; at--) {
    if (file.readUInt32LE(at) === END_RECORD) return at;
  }
  throw new WorkbookError(
    'truncated',
    'The workbook is incomplete: its end is missing. Copy or download the file again and send it whole.',
  );
}

function variableBytes(file: Buffer, at: number): number {
  return file.readUInt16LE(at + 28) + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32);
}

function readEntry(file: Buffer, at: number): ZipEntry {
  if ((file.readUInt16LE(at + 8) & ENCRYPTED_FLAG) !== 0) {
    throw new WorkbookError(
      'encrypted',
      'The workbook is protected by a password. Remove it and send the file again.',
    );
  }
  const nameEnd = at + DIRECTORY_RECORD_BYTES + file.readUInt16LE(at + 28);
  const name = file.toString('utf8', at + DIRECTORY_RECORD_BYTES, nameEnd);
  const wideSizes = zip64Sizes(file.subarray(nameEnd, nameEnd + file.readUInt16LE(at + 30)));
  const size = (offset: number): number => {
    const value = file.readUInt32LE(offset);
    return value === IN_ZIP64_FIELD ? (wideSizes.shift() ?? value) : value;
  };
  // The order matters: the ZIP64 field lists the sizes that it replaces in this one.
  const bytes = size(at + 24);
  const packedBytes = size(at + 20);
  const offset = size(at + 42);
  return {
    name: name.replaceAll('\\', '/').replace(/^\/+/u, ''),
    method: file.readUInt16LE(at + 10),
    crc: file.readUInt32LE(at + 16),
    packedBytes,
    bytes,
    offset,
  };
}

/** The 64-bit numbers of the ZIP64 field among the extra fields of a directory record. */
function zip64Sizes(extra: Buffer): number[] {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== ZIP64_FIELD) continue;
    const field = extra.subarray(at + 4, at + 4 + extra.readUInt16LE(at + 2));
    return Array.from({ length: Math.floor(field.length / 8) }, (_, index) =>
      Number(field.readBigUInt64LE(index * 8)),
    );
  }
  return [];
}

function refuseSuspicious(entries: readonly ZipEntry[]): void {
  const names = new Set(entries.map((entry) => entry.name.toLowerCase()));
  if (names.size !== entries.length) throw damaged('two of its parts have the same name');
  const unpackedBytes = entries.reduce((sum, entry) => sum + entry.bytes, 0);
  if (unpackedBytes > MAX_UNPACKED_BYTES) {
    throw new WorkbookError(
      'too_large',
      `The workbook unpacks to ${Math.ceil(unpackedBytes / 1e6)} MB, more than the ${Math.floor(MAX_UNPACKED_BYTES / 1e6)} MB ` +
        'that can be read. Delete pictures, other sheets and blank formatted rows, or split the file.',
    );
  }
}

function packedBytesOf(file: Buffer, entry: ZipEntry): Buffer {
  const at = entry.offset;
  if (at + LOCAL_RECORD_BYTES > file.length || file.readUInt32LE(at) !== LOCAL_RECORD) {
    throw damaged(`«${entry.name}» is not where its table of contents says`);
  }
  const begin = at + LOCAL_RECORD_BYTES + file.readUInt16LE(at + 26) + file.readUInt16LE(at + 28);
  if (begin + entry.packedBytes > file.length) throw damaged(`«${entry.name}» is cut off`);
  return file.subarray(begin, begin + entry.packedBytes);
}

async function* rawChunks(packed: Buffer, entry: ZipEntry): AsyncGenerator<Buffer> {
  if (entry.method === STORED) {
    for (let at = 0; at < packed.length; at += CHUNK_BYTES) yield packed.subarray(at, at + CHUNK_BYTES);
    return;
  }
  if (entry.method !== DEFLATED) throw damaged(`«${entry.name}» is packed in an unusual way`);
  const inflater = createInflateRaw({ chunkSize: CHUNK_BYTES });
  inflater.end(packed);
  try {
    for await (const chunk of inflater) {
      if (Buffer.isBuffer(chunk)) yield chunk;
    }
  } catch {
    throw damaged(`«${entry.name}» can't be unpacked`);
  } finally {
    if (!inflater.closed) {
      inflater.destroy();
      await once(inflater, 'close');
    }
  }
}

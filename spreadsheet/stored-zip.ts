import { crc32 } from 'node:zlib';

/** A ZIP of uncompressed parts (APPNOTE 6.3.10): it is read at once and thrown away. */
export function storedZip(parts: Readonly<Record<string, string>>): ArrayBuffer {
  const locals: Buffer[] = [];
  const records: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(parts)) {
    const content = Buffer.from(text);
    const local = localRecord(name, content);
    records.push(directoryRecord(local, offset));
    locals.push(local, content);
    offset += local.length + content.length;
  }
  const directory = Buffer.concat(records);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50);
  end.writeUInt16LE(records.length, 8);
  end.writeUInt16LE(records.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  const whole = Buffer.concat([...locals, directory, end]);
  // exceljs declares a Buffer of its own, which an ArrayBuffer satisfies and Node's Buffer does not.
  return new Uint8Array(whole).buffer;
}

function localRecord(name: string, content: Buffer): Buffer {
  const record = Buffer.alloc(30 + name.length);
  record.writeUInt32LE(0x04034b50);
  record.writeUInt16LE(20, 4);
  record.writeUInt32LE(crc32(content), 14);
  record.writeUInt32LE(content.length, 18);
  record.writeUInt32LE(content.length, 22);
  record.writeUInt16LE(name.length, 26);
  record.write(name, 30, 'latin1');
  return record;
}

/** The directory repeats the local record from its version field on, with the offset added. */
function directoryRecord(local: Buffer, offset: number): Buffer {
  const name = local.subarray(30);
  const record = Buffer.alloc(46 + name.length);
  record.writeUInt32LE(0x02014b50);
  record.writeUInt16LE(20, 4);
  local.copy(record, 6, 4, 30);
  record.writeUInt32LE(offset, 42);
  name.copy(record, 46);
  return record;
}

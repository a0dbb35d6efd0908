import { createSocket } from 'node:dgram';

const TYPE_A = 1;
const HEADER_BYTES = 12;

/** A name server on this machine that answers each question for an A record alike, or never. */
export interface DnsServer {
  /** `address:port`, as `setServers` and WEBHOOK_NAME_SERVERS take it. */
  readonly address: string;
  readonly questions: () => number;
  /** From now on questions stay unanswered, or are answered again: by “no such name” where there is no address. */
  readonly keepSilent: (isSilent: boolean) => void;
  readonly close: () => void;
}

/** Starts one. `ipv4` is the answer to A questions; other questions have no records. Without it the server begins silent. */
export async function startDnsServer(options: {
  readonly ipv4?: string;
  readonly ttlSeconds?: number;
}): Promise<DnsServer> {
  const socket = createSocket('udp4');
  let questions = 0;
  let isSilent = options.ipv4 === undefined;
  socket.on('message', (message, sender) => {
    questions += 1;
    if (isSilent) return;
    const { ipv4, ttlSeconds = 60 } = options;
    const answer = ipv4 === undefined ? noSuchName(message) : answerTo(message, ipv4, ttlSeconds);
    socket.send(answer, sender.port, sender.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    questions: () => questions,
    keepSilent: (silent) => {
      isSilent = silent;
    },
    close: () => socket.close(),
  };
}

/** RFC 1035 section 4.1.1: the question again, with the flags of a recursive server and the code 3. */
function noSuchName(question: Buffer): Buffer {
  const answer = Buffer.from(question);
  answer.writeUInt16BE(0x8183, 2);
  return answer;
}

/** RFC 1035 section 4.1: the question again, and one record that points to its name. */
function answerTo(question: Buffer, ipv4: string, ttlSeconds: number): Buffer {
  const nameEnd = question.indexOf(0, HEADER_BYTES);
  const asked = question.subarray(HEADER_BYTES, nameEnd + 5);
  const isAddress = question.readUInt16BE(nameEnd + 1) === TYPE_A;
  const header = Buffer.alloc(HEADER_BYTES);
  question.copy(header, 0, 0, 2);
  header.writeUInt16BE(0x8180, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(isAddress ? 1 : 0, 6);
  if (!isAddress) return Buffer.concat([header, asked]);
  const record = Buffer.alloc(16);
  record.writeUInt16BE(0xc00c, 0);
  record.writeUInt16BE(TYPE_A, 2);
  record.writeUInt16BE(1, 4);
  record.writeUInt32BE(ttlSeconds, 6);
  record.writeUInt16BE(4, 10);
  for (const [index, part] of ipv4.split('.').entries()) record.writeUInt8(Number(part), 12 + index);
  return Buffer.concat([header, asked, record]);
}

import { createSocket } from 'node:dgram';

/** A name server of receivers that is down: it reads each question and never answers. */
export interface SilentNameServer {
  /** `address:port`, as WEBHOOK_NAME_SERVERS takes it. */
  readonly address: string;
  /** From now on each question is answered with «no such name», or left without an answer again. */
  readonly answer: (answers: boolean) => void;
  readonly close: () => void;
}

/** Flags of an answer (RFC 1035 section 4.1.1): a response of a recursive server, with the code for «no such name». */
const NO_SUCH_NAME = 0x8183;

/** Starts one on a free port of this machine; it begins silent. */
export async function startSilentNameServer(): Promise<SilentNameServer> {
  const socket = createSocket('udp4');
  let isAnswering = false;
  socket.on('message', (question, sender) => {
    if (!isAnswering) return;
    const answer = Buffer.from(question);
    answer.writeUInt16BE(NO_SUCH_NAME, 2);
    socket.send(answer, sender.port, sender.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    answer: (answers) => {
      isAnswering = answers;
    },
    close: () => socket.close(),
  };
}

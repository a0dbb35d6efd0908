import type { Context } from 'koa';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import type { Transform } from 'node:stream';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import type { RouteResponse } from './route.ts';

/** Chosen for speed: a board of 10,000 tasks takes 0.03 s; the next levels take twice as long for 8 % less (decision 0030). */
const GZIP_LEVEL = 3;
const BROTLI_QUALITY = 3;
/** What compresses hands its output out in pieces of this size. */
const PIECE_BYTES = 128 * 1024;

const ENCODERS: Readonly<Record<string, () => Transform>> = {
  br: () =>
    createBrotliCompress({
      chunkSize: PIECE_BYTES,
      params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY },
    }),
  gzip: () => createGzip({ chunkSize: PIECE_BYTES, level: GZIP_LEVEL }),
};

/** The body of an answer that is compressed, on other threads, while the rest of it is still being made. */
export interface GrowingBody {
  /**
   * Adds bytes. Resolves when those before them are compressed, so that one part is made while another is compressed. Rejects when
   * the compression has failed, as `end` does.
   */
  readonly add: (bytes: Buffer) => Promise<void>;
  /** Ends it; resolves to the whole. */
  readonly end: () => Promise<Pick<RouteResponse, 'body' | 'headers'>>;
  /** Lets go of one that will not be ended. */
  readonly drop: () => void;
}

/**
 * Opens a body in the encoding that the client takes, brotli before gzip. For large answers alone, and for none that holds a
 * secret next to a text that the caller chose: the length of such an answer would tell of it.
 */
export function openBody(context: Context): GrowingBody {
  const encoding = context.acceptsEncodings('br', 'gzip', 'identity') || 'identity';
  context.vary('Accept-Encoding');
  const headers = encoding === 'identity' ? {} : { headers: { 'content-encoding': encoding } };
  return growingBody(ENCODERS[encoding]?.() ?? new PassThrough(), headers);
}

/** A body of what an encoder makes of the bytes, with these headers. Where the encoder fails, `add` and `end` reject with its error. */
export function growingBody(encoder: Transform, headers: Pick<RouteResponse, 'headers'>): GrowingBody {
  const pieces: Buffer[] = [];
  encoder.on('data', (piece: Buffer) => pieces.push(piece));
  let failure: Error | undefined;
  // An encoder that fails calls back for no write that it has begun.
  const failed = new Promise<void>((resolve) => {
    encoder.on('error', (error) => {
      failure = error;
      resolve();
    });
  });
  let last = Promise.resolve();
  return {
    add: async (bytes) => {
      const before = last;
      const written = new Promise<void>((resolve) => {
        encoder.write(bytes, () => resolve());
      });
      last = Promise.race([written, failed]);
      await before;
      if (failure !== undefined) throw failure;
    },
    end: async () => {
      if (failure !== undefined) throw failure;
      const ended = once(encoder, 'end');
      encoder.end();
      await ended;
      return { body: Buffer.concat(pieces), ...headers };
    },
    drop: () => encoder.destroy(),
  };
}

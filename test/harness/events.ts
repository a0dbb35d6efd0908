import { request } from 'undici';
import type { Readable } from 'node:stream';
import { isJsonObject } from '../../api/schema/json-schema.ts';
import type { TestService } from './service.ts';
import { until } from './until.ts';

/** An event of the stream of changes, as a browser's EventSource would have it. */
export interface ChangeEvent {
  readonly id: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** An open stream of changes. */
export interface OpenStream {
  readonly status: number;
  /** The body of an answer that is no stream. */
  readonly problem: unknown;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly events: readonly ChangeEvent[];
  /** The id to go on from, as the last line that had one said. */
  readonly lastId: () => string;
  readonly comments: () => number;
  readonly isEnded: () => boolean;
  /** Resolves to the first event, from the beginning, that passes. */
  readonly event: (is: (event: ChangeEvent) => boolean) => Promise<ChangeEvent>;
  readonly close: () => void;
}

export interface FollowOptions {
  readonly token: string;
  readonly lastEventId?: string;
  readonly query?: string;
}

/** Opens a stream of changes over HTTP, and resolves when it has begun: it has its id. */
export async function follow(
  { baseUrl }: Pick<TestService, 'baseUrl'>,
  { token, lastEventId, query = '' }: FollowOptions,
): Promise<OpenStream> {
  const answer = await request(`${baseUrl}/api/v1/changes${query}`, {
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'text/event-stream',
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    },
    bodyTimeout: 0,
  });
  const isOpen = answer.statusCode === 200;
  const state = isOpen ? readEvents(answer.body) : newState();
  const stream: OpenStream = {
    status: answer.statusCode,
    problem: isOpen ? undefined : await answer.body.json(),
    headers: answer.headers,
    events: state.events,
    lastId: () => state.lastId,
    comments: () => state.comments,
    isEnded: () => state.isEnded,
    event: (is) => until(() => state.events.find(is), 'the event did not come'),
    close: () => answer.body.destroy(),
  };
  if (isOpen) await until(() => state.lastId !== '' || state.isEnded, 'the stream did not begin');
  return stream;
}

const newState = () => ({ events: new Array<ChangeEvent>(), lastId: '', comments: 0, isEnded: false });

/** Parses the lines of the stream (HTML Standard section 9.2.6). */
function readEvents(body: Readable) {
  const state = newState();
  let rest = '';
  let type = 'message';
  let data = '';
  const line = (text: string): void => {
    if (text.startsWith(':')) state.comments += 1;
    else if (text.startsWith('id: ')) state.lastId = text.slice(4);
    else if (text.startsWith('event: ')) type = text.slice(7);
    else if (text.startsWith('data: ')) data += text.slice(6);
    else if (text === '') {
      const parsed: unknown = data === '' ? undefined : JSON.parse(data);
      if (isJsonObject(parsed)) state.events.push({ id: state.lastId, type, data: parsed });
      type = 'message';
      data = '';
    }
  };
  body.setEncoding('utf8');
  body.on('data', (part: string) => {
    const lines = `${rest}${part}`.split('\n');
    rest = lines.pop() ?? '';
    lines.forEach(line);
  });
  for (const end of ['end', 'close', 'error']) {
    body.on(end, () => {
      state.isEnded = true;
    });
  }
  return state;
}

/** What a forked module posts: that it is ready, and for each request any number of parts, then its answer or why there is none. */
export type Reply<Part, Answer> =
  | { readonly kind: 'ready' }
  | { readonly kind: 'part'; readonly part: Part }
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'failed'; readonly stack: string };

/** What a forked module does for each request; `post` sends a part of the answer ahead. */
type Work<Request, Answer, Part> = (request: Request, post: (part: Part) => void) => Promise<Answer>;

/**
 * The other side of a ForkedProcess: does each request that arrives, and ends this process with the one that forked it.
 * To be called when all modules are loaded. Does nothing in a process that was not forked.
 */
export function serveParent<Request, Answer, Part = never>(work: Work<Request, Answer, Part>): void {
  if (process.send === undefined) return;
  const send: (reply: Reply<Part, Answer>) => void = process.send.bind(process);
  process.on('message', (request: Request) => {
    work(request, (part) => send({ kind: 'part', part })).then(
      (answer) => send({ kind: 'answer', answer }),
      (error: unknown) =>
        send({
          kind: 'failed',
          stack: error instanceof Error ? (error.stack ?? error.message) : String(error),
        }),
    );
  });
  process.on('disconnect', () => process.exit());
  // Ctrl-C reaches this process too, but the one that forked it decides when the work in hand is finished.
  process.on('SIGINT', () => undefined);
  send({ kind: 'ready' });
}

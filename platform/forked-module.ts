/**
 * The other side of a ForkedProcess: makes this process end with the one that forked it, reports that it is ready, and
 * returns how to post to it. To be called when all modules are loaded. Undefined in a process that was not forked.
 */
export function connectToParent(): ((message: object) => void) | undefined {
  if (process.send === undefined) return undefined;
  process.on('disconnect', () => process.exit());
  // Ctrl-C reaches this process too, but the one that forked it decides when the work in hand is finished.
  process.on('SIGINT', () => undefined);
  process.send({ kind: 'ready' });
  return process.send.bind(process);
}

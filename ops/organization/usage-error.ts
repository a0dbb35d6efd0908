/** Thrown when a command cannot do what its arguments say; its message is for the person at the terminal. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

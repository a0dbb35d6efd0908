/** What a log may say of an error. */
interface ErrorFacts {
  readonly error: string;
  /** An SQLSTATE, or a code of Node or gRPC. */
  readonly code?: string | number;
  readonly stack?: string;
}

/**
 * Says which error it is and where it came from. A message is left out: those of the database may hold a row's values, and so
 * may any of its other fields. A stack's frames name code alone.
 */
export function errorFacts(error: unknown): ErrorFacts {
  if (!(error instanceof Error)) return { error: 'unknown' };
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line));
  const code = codeOf(error);
  return {
    error: error.name,
    ...(code !== undefined && { code }),
    ...(frames !== undefined && frames.length > 0 && { stack: frames.join('\n') }),
  };
}

function codeOf(error: object): string | number | undefined {
  if ('code' in error && (typeof error.code === 'string' || typeof error.code === 'number'))
    return error.code;
  // Sequelize keeps what the database said here.
  return 'parent' in error && typeof error.parent === 'object' && error.parent !== null
    ? codeOf(error.parent)
    : undefined;
}

/** One way to come by a program. `find` returns its path, or why this way leads nowhere on this machine. */
export interface Way {
  readonly description: string;
  readonly find: () => Promise<Found | NotFound>;
}

export interface Found {
  readonly path: string;
}

export interface NotFound {
  readonly reason: string;
}

/**
 * Returns the path that the first successful way gives. Throws one error that lists all ways tried, each with
 * its reason, followed by the advice, when none succeeds.
 */
export async function firstOf(program: string, ways: readonly Way[], advice: string): Promise<string> {
  const failures: string[] = [];
  for (const way of ways) {
    const result = await attempt(way);
    if ('path' in result) return result.path;
    failures.push(`  - ${way.description}: ${result.reason}`);
  }
  throw new Error(`${program} was not found. Tried, in this order:\n${failures.join('\n')}\n${advice}`);
}

async function attempt(way: Way): Promise<Found | NotFound> {
  try {
    return await way.find();
  } catch (error) {
    return { reason: firstLine(error instanceof Error ? error.message : String(error)) };
  }
}

function firstLine(text: string): string {
  return text.trim().split('\n')[0] ?? text;
}

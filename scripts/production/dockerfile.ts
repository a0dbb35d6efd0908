/** A line of a Dockerfile, its continuations joined. */
export interface Instruction {
  readonly keyword: string;
  readonly rest: string;
}

/** What one `FROM` begins. */
export interface Stage {
  readonly name: string;
  readonly baseImage: string;
  readonly instructions: readonly Instruction[];
}

const KNOWN = new Set([
  ...['WORKDIR', 'COPY', 'RUN', 'ENV', 'USER', 'EXPOSE', 'HEALTHCHECK', 'ENTRYPOINT', 'CMD'],
]);

/**
 * Reads a Dockerfile into its stages. Throws at an instruction that it does not know, so that nothing is left out in
 * silence.
 */
export function readDockerfile(text: string): readonly Stage[] {
  const lines = text
    .replace(/\\\n/g, ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  const stages: { name: string; baseImage: string; instructions: Instruction[] }[] = [];
  for (const line of lines) {
    const [, keyword = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
    if (keyword === 'FROM') {
      const [, baseImage = '', name = 'final'] = /^(\S+)(?:\s+AS\s+(\S+))?$/i.exec(rest) ?? [];
      stages.push({ name, baseImage, instructions: [] });
      continue;
    }
    const stage = stages.at(-1);
    if (!KNOWN.has(keyword) || stage === undefined) throw new Error(`not known here: ${line}`);
    stage.instructions.push({ keyword, rest });
  }
  return stages;
}

/** The words of an instruction in its JSON form, as `["api"]`. Throws for the shell form. */
export function readWords(rest: string): readonly string[] {
  const words: unknown = rest.startsWith('[') ? JSON.parse(rest) : undefined;
  if (!Array.isArray(words)) throw new Error(`a list of words was expected: ${rest}`);
  return words.map(String);
}

/** The paths that a .dockerignore of exceptions lets through: `*` first, then `!path` lines. Throws for others. */
export function readAllowedPaths(text: string): readonly string[] {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const [first, ...exceptions] = lines;
  if (first !== '*' || exceptions.some((line) => !line.startsWith('!'))) {
    throw new Error('.dockerignore must begin with * and go on with exceptions');
  }
  return exceptions.map((line) => line.slice(1));
}

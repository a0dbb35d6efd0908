/** The metrics of a process, as Prometheus reads them. */
export interface ReadMetrics {
  /** The names of the samples, those of histograms with their endings. */
  readonly names: ReadonlySet<string>;
  /** The sum of a metric's samples that have these labels; undefined without any. */
  readonly value: (name: string, labels?: Readonly<Record<string, string>>) => number | undefined;
  readonly samples: readonly Sample[];
}

/** One line of an answer. */
interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const SAMPLE = /^([a-z_:][a-z0-9_:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;

/** Reads the metrics at an address. Throws for an answer that is not in Prometheus' text format. */
export async function readMetrics(url: string): Promise<ReadMetrics> {
  const answer = await fetch(url);
  if (answer.status !== 200) throw new Error(`the metrics answered ${answer.status}`);
  const text = await answer.text();
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const samples = lines.map(sampleOf);
  return {
    names: new Set(samples.map(({ name }) => name)),
    samples,
    value: (name, labels = {}) => {
      const found = samples.filter(
        (sample) =>
          sample.name === name &&
          Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
      );
      return found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0);
    },
  };
}

function sampleOf(line: string): Sample {
  const [, name, labels = '', value] = SAMPLE.exec(line) ?? [];
  if (name === undefined) throw new Error(`this is no sample of a metric: ${line}`);
  const pairs = [...labels.matchAll(LABEL)].map(([, key = '', text = '']) => [key, text] as const);
  return { name, labels: Object.fromEntries(pairs), value: Number(value?.replace('Inf', 'Infinity')) };
}

/** Counters and gauges in the text form that Prometheus reads. They never contain a user's name. */
export interface Metrics {
  readonly count: (name: CounterName, labels?: Labels, by?: number) => void;
  readonly observe: (name: CounterName, labels: Labels, value: number) => void;
  readonly gauge: (name: GaugeName, read: () => number) => void;
  readonly write: () => string;
}

type Labels = Readonly<Record<string, string>>;

/** A counter's labels always have the same names, so their values identify a series. */
interface Series {
  readonly labels: Labels;
  value: number;
}

const counters = {
  mull_requests_total: "Requests answered, by route and status.",
  mull_request_seconds_total: "Seconds until the answer began, by route.",
  mull_turns_total: "Turns that ended, by state.",
  mull_tokens_total: "Tokens that turns took, by the model of each step.",
  mull_dollars_total: "What turns cost by the price table, by the model of each step.",
  mull_unsaved_turns_total: "Turns that could not be saved in time.",
  mull_log_lines_total: "Log lines, by event.",
} as const;
type CounterName = keyof typeof counters;

const gauges = {
  mull_running_turns: "Turns that run now.",
  mull_open_readers: "Readers of streams that are connected now.",
  mull_resident_bytes: "Memory of the process.",
  mull_ready: "1 when new turns are taken.",
} as const;
type GaugeName = keyof typeof gauges;

export function createMetrics(): Metrics {
  const values = new Map<CounterName, Map<string, Series>>();
  const reads = new Map<GaugeName, () => number>();
  const add = (name: CounterName, labels: Labels, by: number): void => {
    const all = values.get(name) ?? new Map<string, Series>();
    values.set(name, all);
    const key = Object.values(labels).join("\n");
    const series = all.get(key);
    if (series === undefined) all.set(key, { labels, value: by });
    else series.value += by;
  };
  return {
    count: (name, labels = {}, by = 1) => add(name, labels, by),
    observe: add,
    gauge: (name, read) => {
      reads.set(name, read);
    },
    write: () =>
      [
        ...[...values].flatMap(([name, all]) => [
          `# HELP ${name} ${counters[name]}`,
          `# TYPE ${name} counter`,
          ...[...all.values()].map(({ labels, value }) => `${name}${spell(labels)} ${value}`),
        ]),
        ...[...reads].flatMap(([name, read]) => [
          `# HELP ${name} ${gauges[name]}`,
          `# TYPE ${name} gauge`,
          `${name} ${read()}`,
        ]),
        "",
      ].join("\n"),
  };
}

const spell = (labels: Labels): string => {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
};

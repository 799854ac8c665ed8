/** Counters and gauges in the text form that Prometheus reads. No name of a user ever gets in. */
export interface Metrics {
  readonly count: (name: CounterName, labels?: Labels, by?: number) => void;
  readonly observe: (name: CounterName, labels: Labels, value: number) => void;
  readonly gauge: (name: GaugeName, read: () => number) => void;
  readonly write: () => string;
}

type Labels = Readonly<Record<string, string>>;

const counters = {
  mull_requests_total: "Requests answered, by route and status.",
  mull_request_seconds_total: "Seconds until the answer began, by route.",
  mull_turns_total: "Turns that ended, by state.",
  mull_tokens_total: "Tokens that turns took, by kind.",
  mull_dollars_total: "What turns cost by the price table.",
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
  const values = new Map<CounterName, Map<string, number>>();
  const reads = new Map<GaugeName, () => number>();
  const add = (name: CounterName, labels: Labels, by: number): void => {
    const series = values.get(name) ?? new Map<string, number>();
    values.set(name, series);
    const key = spell(labels);
    series.set(key, (series.get(key) ?? 0) + by);
  };
  return {
    count: (name, labels = {}, by = 1) => add(name, labels, by),
    observe: add,
    gauge: (name, read) => {
      reads.set(name, read);
    },
    write: () =>
      [
        ...[...values].flatMap(([name, series]) => [
          `# HELP ${name} ${counters[name]}`,
          `# TYPE ${name} counter`,
          ...[...series].map(([labels, value]) => `${name}${labels} ${value}`),
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

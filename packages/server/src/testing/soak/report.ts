import type { SoakReport } from "./soak.ts";

/**
 * Nothing acknowledged is lost or doubled, and every answer that was read in full is stored in
 * full.
 */
export const isClean = ({ acknowledged, stored, lost, doubled, differing }: SoakReport): boolean =>
  acknowledged > 0 && stored === acknowledged && lost + doubled + differing === 0;

type Row = readonly [measure: string, figure: string, target: string, holds?: boolean];

const count = (value: number): string => value.toLocaleString("en-US");

const rowsOf = (report: SoakReport): readonly Row[] => {
  const { acknowledged, stored, lost, doubled, whole, differing, unstored, unstoredMs } = report;
  const refused = Object.entries(report.refused).map(([name, times]) => `${times} x ${name}`);
  return [
    ["questions acknowledged", count(acknowledged), ""],
    ["stored", count(stored), "all of them", stored === acknowledged],
    ["lost", count(lost), "0", lost === 0],
    ["doubled: stored or answered twice", count(doubled), "0", doubled === 0],
    ["answers read to their end", count(whole), ""],
    ["answers stored otherwise than they were read", count(differing), "0", differing === 0],
    [
      "seen but not stored, in answers of killed servers",
      `${count(unstored)}, at most ${Math.round(unstoredMs)} ms of speech`,
      "≤ 1,000 ms",
      unstoredMs <= 1000,
    ],
    ["streams taken up again, mostly on another server", count(report.readOn), ""],
    ["sends that failed and were sent again", refused.join(", ") || "0", ""],
    report.hasRedis
      ? [
          "servers that said that Redis was away, and back",
          `${report.saidAway} and ${report.saidBack} of ${report.servers}`,
          "all",
          report.saidAway === report.servers && report.saidBack === report.servers,
        ]
      : ["Redis", "not on this machine", ""],
  ];
};

export const soakTable = (report: SoakReport): string =>
  [
    "| measure | figure | target | holds |",
    "| --- | --- | --- | --- |",
    ...rowsOf(report).map(([measure, figure, target, holds]) => {
      const verdict = holds === undefined ? "" : holds ? "yes" : "**no**";
      return `| ${measure} | ${figure} |${target && ` ${target}`} |${verdict && ` ${verdict}`} |`;
    }),
  ].join("\n");

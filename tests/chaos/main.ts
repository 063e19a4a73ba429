import { numberOf, parseArgs, reporter } from "../../bench/shared/options.ts";
import { surviveLostConnections } from "../../src/kernel/db/index.ts";
import { silentLog } from "../../src/kernel/log/index.ts";
import { type Kind, kinds } from "./kinds.ts";
import type { StormSettings } from "./settings.ts";
import { type Report, storm } from "./storm.ts";

/** Of a storm of one kind. */
const strikesPerMinute = 4;

/** `npm run chaos -- --seed 7 --minutes 15 --kills 220 --deliveries 50000 --json` */
export async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      json: { type: "boolean", default: false },
      seed: { type: "string" },
      minutes: { type: "string" },
      kills: { type: "string" },
      deliveries: { type: "string" },
      kind: { type: "string", default: "all" },
    },
  });
  // The storm restarts its own database, too.
  surviveLostConnections(silentLog);
  const say = reporter(values.json);
  const kind = kinds.find((each) => each === values.kind);
  if (!kind) throw new Error(`--kind is one of ${kinds.join(", ")}.`);
  const minutes = numberOf("minutes", values.minutes, 15);
  const settings: StormSettings = {
    seed: numberOf("seed", values.seed, 1 + Math.floor(Math.random() * 1_000_000)),
    kind,
    seconds: minutes * 60,
    kills: kind === "all" ? numberOf("kills", values.kills, Math.ceil(minutes * 15)) : 0,
    deliveries: numberOf("deliveries", values.deliveries, Math.ceil(minutes * 3_400)),
    chats: { telegram: 63, max: 42 },
    chatsPerPost: { telegram: 12, max: 8 },
    networks: 4,
    processes: { api: 2, dispatcher: 3, monitor: 1 },
    restarts: strikesIn(minutes, kind),
  };
  say(
    `Seed ${settings.seed}, kind ${kind}: ${settings.deliveries} deliveries, ${settings.kills} kills in ${minutes} minutes`,
  );
  const report = await storm(settings, say);
  say(summaryOf(report));
  say(rowOf(report));
  if (report.violations.length > 0) {
    process.exitCode = 1;
    say(`\nTo raise the same storm: npm run chaos -- --seed ${settings.seed} ${sameArgs(settings, minutes)}`);
  }
  if (values.json) console.log(JSON.stringify({ ...report, violations: report.violations.length }));
}

/** A primary that is killed for good is killed once. */
function strikesIn(minutes: number, kind: Kind): number {
  if (kind === "standby") return 1;
  return Math.max(1, Math.round(minutes * (kind === "all" ? 0.5 : strikesPerMinute)));
}

const sameArgs = ({ kind, kills, deliveries }: StormSettings, minutes: number) =>
  `--kind ${kind} --minutes ${minutes} --kills ${kills} --deliveries ${deliveries}`;

const shown = 20;

/** The line of this storm in the table of docs/reference/proof.md. */
function rowOf(report: Report): string {
  const figures = [
    ...[`\`${report.kind}\``, report.deliveries, report.troubles, report.lost],
    ...[report.doubled_reconcilable + report.doubled_at_most_once, report.doubled_unknown, heldBack(report)],
    ...[report.out_of_order, report.violations.length, report.seconds],
  ];
  return `| ${figures.join(" | ")} |`;
}

/** Deliveries that ended with a reason instead of being sent; what the editor took back in time is not one of them. */
const heldBack = ({ deliveries, sent, failed }: Report) => deliveries - sent - (failed.cancelled ?? 0);

function summaryOf({ violations, kills_at, failed, ...figures }: Report): string {
  const lines = [
    ...Object.entries(figures).map(
      ([name, value]) => `${name.padEnd(22)} ${typeof value === "object" ? JSON.stringify(value) : value}`,
    ),
    ...Object.entries(kills_at).map(([point, times]) => `${`killed at ${point}`.padEnd(34)} ${times}`),
    ...Object.entries(failed).map(([code, times]) => `${`failed with ${code}`.padEnd(34)} ${times}`),
    violations.length === 0 ? "The books balance." : `${violations.length} violations:`,
    ...violations.slice(0, shown).map((violation) => `  ${violation}`),
  ];
  return lines.join("\n");
}

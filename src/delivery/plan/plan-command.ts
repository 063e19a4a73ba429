import {
  type AddCommand,
  administer,
  assigned,
  type Common,
  checked,
  columns,
  counted,
  exitCodes,
  print,
  shortened,
  type Terminal,
  UserError,
  viewing,
} from "../../terminal/index.ts";
import type { AdminDeps, PlanSource } from "../../workspaces/index.ts";
import { type Ahead, aheadOf } from "../commands/ahead.ts";
import { channelNaming, channelOf } from "../commands/called.ts";
import { channelWords } from "../read/channel-name.ts";
import { comparePlans, ifChannel } from "./compare-plans.ts";
import { makePlan } from "./plan.ts";
import type { Comparison, Plan, PlanEntry } from "./plan-shape.ts";

interface Options extends Common {
  readonly from?: Ahead;
  readonly to?: Ahead;
  readonly channel?: string;
  readonly if?: string[];
}

/** `molva plan`: what goes out where and when; with `--if`, what a changed channel would change. */
export function planCommand(sources: readonly PlanSource[]): AddCommand {
  return (program, terminal) => {
    const command = program
      .command("plan")
      .description("what will go out where and when, and what decides it")
      .option("--from <time>", "from then on: 2h, 1d ahead, or a time; now unless given", aheadOf)
      .option("--to <time>", "until then; 7 days later unless given, 35 at most", aheadOf)
      .option("--channel <channel>", `only what goes there: ${channelNaming}`)
      .option(
        "--if <change...>",
        "what would change: channel <channel> field=value…, as in --if channel News rate_rps=0.5",
      );
    viewing(command).action((options: Options) => show(terminal, options, sources));
  };
}

async function show(terminal: Terminal, options: Options, sources: readonly PlanSource[]): Promise<void> {
  const rangeOf = async ({ sql, clock }: AdminDeps, workspaceId: string) => ({
    from: options.from?.(clock.now()),
    to: options.to?.(clock.now()),
    channel_id: options.channel && (await channelOf(sql, workspaceId, options.channel)),
  });
  if (!options.if) {
    const plan = await administer(terminal, options, async (deps, workspaceId) =>
      makePlan({ ...deps, sources }, workspaceId, await rangeOf(deps, workspaceId)),
    );
    return print(terminal, options, plan, () => shownPlan(plan));
  }
  const [word, typed, ...fields] = options.if;
  if (word !== "channel" || !typed || fields.length === 0)
    throw new UserError("--if takes: channel <channel> field=value…", exitCodes.usage);
  const changes = checked(ifChannel, assigned(ifChannel, fields), "--if");
  const compared = await administer(terminal, options, async (deps, workspaceId) => {
    const channelId = await channelOf(deps.sql, workspaceId, typed);
    const range = await rangeOf(deps, workspaceId);
    return comparePlans(deps, workspaceId, range, { channels: { [channelId]: changes } });
  });
  print(terminal, options, compared, () => shownComparison(compared));
}

export function shownPlan(plan: Plan): string {
  const days = new Set(plan.items.map(dayOf));
  const parts = [...days].map((day) => {
    const items = plan.items.filter((item) => dayOf(item) === day);
    return `${day}\n${columns(headings, items.map(line))}`;
  });
  if (parts.length === 0) parts.push("Nothing goes out in this time.");
  return [...parts, rest(plan)].filter(Boolean).join("\n\n");
}

const dayOf = ({ local }: PlanEntry) => local.slice(0, 10);

const headings = ["TIME", "ZONE", "WHERE", "WHAT", "DECIDED BY", "TITLE"];

function line({ local, zone, channel, what, delivery, title, note }: PlanEntry): string[] {
  return [
    local.slice(11),
    zone,
    shortened(`${channel.title ?? ""} (${channel.platform})`.trim(), 40),
    what,
    delivery?.reason ?? "schedule",
    shortened(note ? `${title} – ${note}` : title, 60),
  ];
}

function rest({ truncated, counts, stopped, held }: Plan): string {
  return [
    ...stopped.map(
      ({ id, channel, reason }) => `${id}  ${channelWords(channel)}: does not go out by itself: ${reason}`,
    ),
    ...held.map(({ id, channel, hold_reason }) => `${id}  ${channelWords(channel)}: held: ${hold_reason}`),
    counts.later > 0 ? `${counted(counts.later, "post")} later than that.` : "",
    truncated ? "More is waiting than a plan takes: the later part is not shown." : "",
  ]
    .filter(Boolean)
    .join("\n");
}

export function shownComparison({ counts, items, truncated }: Comparison): string {
  const { earlier, later, never, again, same } = counts;
  const total = `${earlier} earlier, ${later} later, ${never} never, ${again} again, ${same} as before`;
  const side = ({ local, fate }: Comparison["items"][number]["before"]) => local ?? fate;
  return [
    total,
    items.length === 0
      ? ""
      : columns(
          ["CHANGE", "BEFORE", "AFTER", "ZONE", "CHANNEL", "TITLE"],
          items.map(({ change, before, after, zone, channel, snippet }) => [
            change,
            side(before),
            side(after),
            zone,
            shortened(channelWords(channel), 40),
            shortened(snippet, 60),
          ]),
        ),
    truncated ? "More is waiting than a plan takes: the later part was not compared." : "",
  ]
    .filter(Boolean)
    .join("\n\n");
}

/** The runbook's operations 5 to 9 at the command line. */

import { type Command, InvalidArgumentError } from "commander";
import {
  administer,
  byOf,
  type Common,
  checked,
  exitCodes,
  explaining,
  inWorkspace,
  justifying,
  print,
  rehearsable,
  secondsOf,
  type Terminal,
  UserError,
  valueText,
} from "../../terminal/index.ts";
import type { By } from "../../workspaces/index.ts";
import {
  disableChannel,
  disableGroup,
  enableChannel,
  enableGroup,
  keySchema,
  longestWaitSeconds,
  type OperationReport,
  pauseChannel,
  rotateChannel,
} from "../admin/index.ts";
import { channelCalled, channelName, channelNaming } from "./called.ts";

interface PauseOptions extends Common {
  readonly for?: number;
  readonly until?: Date;
}

interface GroupOptions extends Common {
  readonly group?: string;
}

interface RotateOptions extends Common {
  readonly group?: string;
  readonly wait?: number | true;
}

export function addChannelOperations(parent: Command, terminal: Terminal): void {
  addPause(parent, terminal);
  addSwitch(parent, terminal, "resume", "end a pause, enable, forget the streak of refusals");
  addSwitch(parent, terminal, "enable", "the same as resume");
  addSwitch(parent, terminal, "disable", "switch off: no posts join its queue, none are sent");
  addRotate(parent, terminal);
}

function addPause(parent: Command, terminal: Terminal): void {
  rehearsable(inWorkspace(justifying(parent.command("pause").description("send nothing for a while"))))
    .argument("<channel>", channelNaming)
    .option("--for <time>", "how long, from now: seconds, or 10m, 2h, 1d", secondsOf)
    .option("--until <time>", "or until when, such as 2026-11-15T18:00Z", timeOf)
    .action(async (typed: string, options: PauseOptions) => {
      const { until, for: seconds, dryRun } = options;
      if ((until === undefined) === (seconds === undefined))
        throw new UserError("Give one of --for and --until.", exitCodes.usage);
      const report = await administer(terminal, options, async (deps, workspaceId) => {
        const { channel_id } = await channelCalled(deps, workspaceId, typed);
        const end = until ?? new Date(deps.clock.now().getTime() + (seconds ?? 0) * 1000);
        return pauseChannel(deps, workspaceId, channel_id, end, byOf(options), { dryRun });
      });
      told(terminal, options, report);
    });
}

/** Of one channel, or with --group of every channel of a rate group. */
function addSwitch(
  parent: Command,
  terminal: Terminal,
  verb: "resume" | "enable" | "disable",
  about: string,
): void {
  const run = verb === "disable" ? disableChannel : enableChannel;
  const runGroup = verb === "disable" ? disableGroup : enableGroup;
  rehearsable(inWorkspace(explaining(parent.command(verb).description(about))))
    .argument("[channel]", channelNaming)
    .option("--group <rate_group>", "every channel of this rate group instead")
    .action(async (typed: string | undefined, options: GroupOptions) => {
      const { group, dryRun } = options;
      if ((typed === undefined) === (group === undefined))
        throw new UserError("Name a channel, or a --group: one of the two.", exitCodes.usage);
      const by = verb === "disable" || group ? justified(options) : byOf(options);
      const report = await administer(terminal, options, async (deps, workspaceId) => {
        if (typed === undefined) return runGroup(deps, workspaceId, group ?? "", by, { dryRun });
        const { channel_id } = await channelCalled(deps, workspaceId, typed);
        return run(deps, workspaceId, channel_id, by, { dryRun });
      });
      told(terminal, options, report);
    });
}

function addRotate(parent: Command, terminal: Terminal): void {
  const command = parent.command("rotate").description("another credential, between two sends");
  rehearsable(inWorkspace(justifying(command)))
    .argument("<channel>", channelNaming)
    .argument("<auth_ref>", "the credential's name, as `molva credential list` shows it")
    .option("--group <rate_group>", "move the channel to this rate group as well")
    .option(
      "--wait [time]",
      `pause until sends under way have ended: seconds, or 1m; ${longestWaitSeconds} s unless given`,
      secondsOf,
    )
    .action(async (typed: string, authRef: string, options: RotateOptions) => {
      const { group, wait, dryRun } = options;
      const rotation = {
        auth_ref: checked(keySchema, authRef, "auth_ref"),
        rate_group: group === undefined ? undefined : checked(keySchema, group, "--group"),
        wait_seconds: wait === true ? longestWaitSeconds : wait && Math.min(wait, longestWaitSeconds),
      };
      const report = await administer(terminal, options, async (deps, workspaceId) => {
        const { channel_id } = await channelCalled(deps, workspaceId, typed);
        return rotateChannel(deps, workspaceId, channel_id, rotation, byOf(options), { dryRun });
      });
      told(terminal, options, report);
    });
}

function justified(options: Common): By {
  if (options.reason === undefined)
    throw new UserError("Say why: --reason is kept in the audit trail.", exitCodes.usage);
  return byOf(options);
}

function timeOf(typed: string): Date {
  const time = new Date(typed);
  if (Number.isNaN(time.getTime())) throw new InvalidArgumentError("Give a time such as 2026-11-15T18:00Z.");
  return time;
}

function told(terminal: Terminal, options: Common, report: OperationReport): void {
  const { dry_run, channels } = report;
  const count = `${channels.length} ${channels.length === 1 ? "channel" : "channels"}`;
  print(terminal, options, report, () =>
    [
      ...channels.flatMap(({ changes, ...channel }) => [channelName(channel), ...changeLines(changes)]),
      dry_run ? `Would change ${count}; nothing was changed.` : `Changed ${count}.`,
    ].join("\n"),
  );
}

function changeLines(changes: OperationReport["channels"][number]["changes"]): string[] {
  const entries = Object.entries(changes);
  if (entries.length === 0) return ["  as it was"];
  return entries.map(([field, { from, to }]) => `  ${field}: ${valueText(from)} → ${valueText(to)}`);
}

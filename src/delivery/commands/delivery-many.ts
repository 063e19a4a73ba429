/** `molva delivery recover` and `molva delivery cancel`: operations on all deliveries that match. */
import { type Command, Option } from "commander";
import type { Sql } from "../../kernel/db/index.ts";
import {
  administer,
  checked,
  columns,
  counted,
  exitCodes,
  inWorkspace,
  justifying,
  momentOf,
  print,
  rehearsable,
  shortened,
  type Terminal,
  UserError,
} from "../../terminal/index.ts";
import { keySchema, platformSchema } from "../admin/index.ts";
import {
  type ByChannel,
  type Cancelled,
  cancelMany,
  type Recovered,
  recover,
  type WaitingFilter,
  waitingStates,
} from "../deliveries/index.ts";
import { channelWords } from "../read/channel-name.ts";
import { channelNaming, channelOf } from "./called.ts";
import { actOf, type Change } from "./delivery-act.ts";

interface RecoverOptions extends Change {
  readonly since: Date;
  readonly channel?: string;
  readonly credential?: string;
  readonly resume: boolean;
}

export function addRecover(parent: Command, terminal: Terminal): void {
  const command = parent
    .command("recover")
    .description(
      "after the cause is mended: send again what failed because of its channel, its platform or for want of attempts",
    )
    .requiredOption("--since <time>", "what failed since then: 30m, 2h, 1d, or a time", momentOf)
    .option("--channel <channel>", `only of this one: ${channelNaming}`)
    .option("--credential <platform/name>", "only of the channels that send with it")
    .option("--no-resume", "do not resume channels that were stopped because they refused posts");
  rehearsable(inWorkspace(justifying(command))).action(async (options: RecoverOptions) => {
    if (options.channel && options.credential)
      throw new UserError("Give --channel or --credential, not both.", exitCodes.usage);
    const credential = options.credential === undefined ? undefined : credentialOf(options.credential);
    const recovered = await administer(terminal, options, async ({ sql }, workspaceId) => {
      const channel_id = options.channel && (await channelOf(sql, workspaceId, options.channel));
      const { since, resume } = options;
      return recover(sql, workspaceId, { since, channel_id, credential, resume }, actOf(options));
    });
    print(terminal, options, recovered, () => recoveredText(recovered));
  });
}

function credentialOf(typed: string) {
  const slash = typed.indexOf("/");
  if (slash < 0)
    throw new UserError("--credential: give platform/name, such as telegram/news-bot.", exitCodes.usage);
  return {
    platform: checked(platformSchema, typed.slice(0, slash), "--credential"),
    auth_ref: checked(keySchema, typed.slice(slash + 1), "--credential"),
  };
}

function recoveredText({ dry_run, recovered, channels, resumed, still_stopped }: Recovered): string {
  if (recovered + resumed === 0) return "Nothing failed since then that could be sent again.";
  const would = dry_run ? "Would send" : "Sending";
  return [
    channelTable(channels),
    `${would} ${counted(recovered, "delivery", "deliveries")} again; ${
      dry_run ? "would resume" : "resumed"
    } ${counted(resumed, "channel", "channels")}.`,
    ...(still_stopped > 0
      ? [
          `${counted(still_stopped, "channel is", "channels are")} still stopped: what was recovered for them waits until they are resumed.`,
        ]
      : []),
  ]
    .filter(Boolean)
    .join("\n");
}

export interface WaitingOptions {
  readonly channel?: string[];
  readonly tag?: string[];
  readonly state?: (typeof waitingStates)[number][];
  readonly source?: string;
  readonly since?: Date;
  readonly before?: Date;
}

/** The options that select waiting deliveries by filter instead of by id. */
export const choosingWaiting = (command: Command) =>
  command
    .option("--channel <channel...>", `to these: ${channelNaming}`)
    .option("--tag <tag...>", "of posts with one of these tags")
    .addOption(new Option("--state <state...>", "in these states").choices(waitingStates))
    .option("--source <source>", "of a source that is asked, by its name, or of an endpoint, by its id")
    .option("--since <time>", "only newer than this: 30m, 2h, 1d, or a time", momentOf)
    .option("--before <time>", "only older than this: 30m, 2h, 1d, or a time", momentOf);

export const choosesWaiting = ({ channel, tag, state, source, since, before }: WaitingOptions) =>
  [channel, tag, state, source, since, before].some((given) => given !== undefined);

export async function cancelChosen(terminal: Terminal, options: WaitingOptions & Change): Promise<void> {
  const cancelled = await administer(terminal, options, async ({ sql }, workspaceId) =>
    cancelMany(sql, workspaceId, await waitingFilter(sql, workspaceId, options), actOf(options)),
  );
  print(terminal, options, cancelled, () => cancelledText(cancelled));
}

async function waitingFilter(
  sql: Sql,
  workspaceId: string,
  { channel, tag, state, source, since, before }: WaitingOptions,
): Promise<WaitingFilter> {
  const found: string[] = [];
  for (const typed of channel ?? []) found.push(await channelOf(sql, workspaceId, typed));
  return {
    channel_ids: channel && found,
    tags: tag,
    states: state,
    source,
    created_after: since,
    created_before: before,
  };
}

function cancelledText({ dry_run, changed, channels }: Cancelled): string {
  if (changed === 0) return "No waiting delivery fits; nothing was changed.";
  const total = counted(changed, "delivery", "deliveries");
  return [
    channelTable(channels),
    dry_run ? `Would call off ${total}; nothing was changed.` : `Called off ${total}.`,
  ].join("\n");
}

function channelTable(channels: ByChannel): string {
  if (channels.length === 0) return "";
  return columns(
    ["CHANNEL", "DELIVERIES"],
    channels.map(({ deliveries, ...channel }) => [shortened(channelWords(channel), 50), String(deliveries)]),
  );
}

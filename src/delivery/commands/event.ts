import { type AddCommand, addList, moment, momentOf, type Paged } from "../../terminal/index.ts";
import { type Event, latestEvents } from "../deliveries/index.ts";
import { channelWords } from "../read/channel-name.ts";
import { channelNaming, channelOf, deliveryOf, messageOf } from "./called.ts";

interface EventOptions extends Paged {
  action?: string[];
  errors?: boolean;
  channel?: string;
  delivery?: string;
  message?: string;
  since?: Date;
  until?: Date;
}

/** `molva event list`: the audit trail; with `--errors` the runbook's list of errors. */
export const addEvent: AddCommand = (program, terminal) => {
  const command = program.command("event").description("look at the audit trail");
  addList<Event, EventOptions>(command, terminal, {
    about: "what happened, newest first",
    choosing: (list) =>
      list
        .option("--action <action...>", "only these kinds")
        .option("--errors", "only what went wrong; of the last 30 minutes unless --since says otherwise")
        .option("--channel <channel>", `only of this one: ${channelNaming}`)
        .option("--delivery <id>", "only of this one")
        .option("--message <id>", "only of this post")
        .option("--since <time>", "only newer than this: 30m, 2h, 1d, or a time", momentOf)
        .option("--until <time>", "only older than this, written the same way", momentOf),
    page: async ({ sql }, workspaceId, { limit, after, action, until, ...options }) =>
      latestEvents(sql, workspaceId, {
        limit,
        after,
        action,
        result: options.errors ? "error" : undefined,
        channel_id: options.channel && (await channelOf(sql, workspaceId, options.channel)),
        delivery_id: options.delivery && (await deliveryOf(sql, workspaceId, options.delivery)),
        message_id: options.message && (await messageOf(sql, workspaceId, options.message)),
        since: options.since ?? (options.errors ? momentOf("30m") : undefined),
        until,
      }),
    shown: (items) => items.map(eventLine).join("\n") || "No events.",
  });
};

/** One event as one line. */
export function eventLine({ ts, action, attempt, channel, delivery_id, error, by, meta }: Event): string {
  return [
    moment(ts),
    attempt > 0 ? `${action} #${attempt}` : action,
    channel ? channelWords(channel) : "",
    delivery_id ?? "",
    error ? `${error.code}: ${error.message}` : "",
    aboutOf(meta),
    byWhom(by, meta),
  ]
    .filter(Boolean)
    .join("  ");
}

/** For events that are about neither a channel nor a delivery. */
function aboutOf({ object, source_id, fault }: Event["meta"]): string {
  return [object, source_id, fault].filter((word) => typeof word === "string").join(" ");
}

function byWhom(by: Event["by"], { note, reason }: Event["meta"]): string {
  if (by === null) return "";
  const why = note ?? reason;
  return typeof why === "string" ? `by ${by}: ${why}` : `by ${by}`;
}

import { type Event, latestEvents } from "../../delivery/index.ts";
import { administer, type Common, viewing } from "../administer.ts";
import { type AddCommand, print } from "../command.ts";
import { moment } from "../layout.ts";
import { channelNaming, channelOf, countOf, deliveryOf, messageOf, momentOf } from "../lookup.ts";

interface EventOptions extends Common {
  action?: string[];
  errors?: boolean;
  channel?: string;
  delivery?: string;
  message?: string;
  since?: Date;
  until?: Date;
  limit: number;
}

/** `molva event list`: the audit trail; with `--errors` the runbook's look at what broke. */
export const addEvent: AddCommand = (program, terminal) => {
  const command = program.command("event").description("look at the audit trail");
  viewing(command.command("list").description("what happened, newest first"))
    .option("--action <action...>", "only these kinds")
    .option("--errors", "only what went wrong; of the last 30 minutes unless --since says otherwise")
    .option("--channel <channel>", `only of this one: ${channelNaming}`)
    .option("--delivery <id>", "only of this one")
    .option("--message <id>", "only of this post")
    .option("--since <time>", "only newer than this: 30m, 2h, 1d, or a time", momentOf)
    .option("--until <time>", "only older than this, written the same way", momentOf)
    .option("--limit <count>", "how many at most", countOf, 200)
    .action(async (options: EventOptions) => {
      const page = await administer(terminal, options, async ({ sql }, workspaceId) =>
        latestEvents(sql, workspaceId, {
          limit: options.limit,
          actions: options.action,
          result: options.errors ? "error" : undefined,
          channelId: options.channel && (await channelOf(sql, workspaceId, options.channel)),
          deliveryId: options.delivery && (await deliveryOf(sql, workspaceId, options.delivery)),
          messageId: options.message && (await messageOf(sql, workspaceId, options.message)),
          since: options.since ?? (options.errors ? momentOf("30m") : undefined),
          until: options.until,
        }),
      );
      print(terminal, options, page, () => page.items.map(eventLine).join("\n") || "No events.");
    });
};

/** One event as one line. */
export function eventLine({ ts, action, attempt, channel, delivery_id, error, meta }: Event): string {
  return [
    moment(ts),
    attempt > 0 ? `${action} #${attempt}` : action,
    channel ? `${channel.title ?? channel.id} (${channel.platform})` : "",
    delivery_id ?? "",
    error ? `${error.code}: ${error.message}` : "",
    aboutOf(meta),
    byWhom(meta),
  ]
    .filter(Boolean)
    .join("  ");
}

/** Of events that are about neither a channel nor a delivery. */
function aboutOf({ object, source_id, fault }: Event["meta"]): string {
  return [object, source_id, fault].filter((word) => typeof word === "string").join(" ");
}

function byWhom({ operator, note, reason }: Event["meta"]): string {
  if (typeof operator !== "string") return "";
  const why = note ?? reason;
  return typeof why === "string" ? `by ${operator}: ${why}` : `by ${operator}`;
}

import { z } from "zod";
import { lineOfText } from "../../../http/index.ts";
import { channelSettings, platformDefinitions } from "../../../platforms/index.ts";
import { changesSchema, reason, somethingOf } from "../../../workspaces/index.ts";
import { key, platform, rate } from "../fields.ts";

export const channelStates = ["active", "paused", "disabled"] as const;

export const connectionStates = ["active", "error"] as const;

const object = z.record(z.string(), z.unknown());

/** A channel as operators see it. */
export const channelSchema = z
  .object({
    channel_id: z.uuid(),
    platform: z.string(),
    target_id: z.string(),
    target_name: z
      .string()
      .nullable()
      .describe("The name by which the chat was found whose number `target_id` is"),
    allow_duplicate: z.boolean().describe("Whether other channels may post into the same chat"),
    title: z.string().nullable(),
    state: z.enum(channelStates),
    enabled: z.boolean(),
    paused_until: z.date().nullable(),
    error_streak: z.int().describe("Refusals of the channel in a row; too many disable it"),
    owner: z
      .object({ product: z.string(), user: z.string(), key: z.string() })
      .nullable()
      .describe("Of a connection: whose it is. It takes only posts of that product that name it"),
    connection: z
      .object({ state: z.enum(connectionStates), error: object.nullable() })
      .nullable()
      .describe("Of a connection: `error` until it is renewed, or a test of it succeeds"),
    auth_ref: z.string(),
    has_credential: z.boolean().describe("Whether a token is bound to `auth_ref`"),
    rate_group: z.string(),
    send_mode: z.enum(["text", "media", "mixed"]),
    rate_rps: z.number().nullable(),
    max_parallel: z.int(),
    next_allowed_at: z.date().nullable(),
    timezone: z.string().nullable().describe("null: the workspace's"),
    window_mode: z.enum(["immediate", "windowed"]),
    posting_window: object.nullable(),
    dedup_ttl_hours: z.int().nullable(),
    unknown_policy: z.enum(["at_least_once", "at_most_once"]),
    max_age_seconds: z.int().nullable(),
    on_stale: z.enum(["drop", "hold"]),
    catchup: z.enum(["paced", "newest_first"]),
    silence_after_seconds: z.int().nullable(),
    pause_on_permanent_seconds: z.int().nullable().describe("null: the workspace's"),
    disable_after_permanent_streak: z.int().nullable().describe("null: the workspace's"),
    template_ref: z.string().nullable(),
    settings: object,
    tags: z.array(z.string()),
    route_filter: object.nullable(),
    created_at: z.date(),
    updated_at: z.date(),
  })
  .meta({ id: "Channel" });
export type Channel = z.infer<typeof channelSchema>;

/** What happens at a channel now. */
export const channelActivity = z.object({
  waiting: z.int().describe("Deliveries that are not yet sent, the held ones too"),
  held: z.int(),
  next_due_at: z
    .date()
    .nullable()
    .describe("When the next of them may be sent; null: none waits, or all are held"),
  block: z.string().nullable().describe("What keeps the whole channel back now"),
  last_sent_at: z.date().nullable(),
  stop: z
    .object({
      since: z.date().nullable(),
      by: z.enum(["refusals", "operator"]).nullable().describe("null: nobody recorded it"),
      operator: z.string().nullable(),
      reason: z.string().nullable(),
      help: z.string().describe("set_credential, mend_channel or resume"),
    })
    .nullable()
    .describe("Who stopped it and why; null: it works"),
});
export type ChannelActivity = z.infer<typeof channelActivity>;

/** A channel, and what happens there if the caller asked for that. */
export const channelWithActivity = channelSchema
  .extend({ activity: channelActivity.optional() })
  .meta({ id: "ChannelWithActivity" });
export type ChannelWithActivity = z.infer<typeof channelWithActivity>;

/** The database normalises them as it does tags of posts: trimmed, lower case, without `#`, no repeats. */
const tagList = z
  .array(lineOfText({ min: 1, max: 64 }).refine((tag) => /[^#\s]/.test(tag), "A tag is more than #"))
  .max(100);

/** Settings are shown to everybody who may read, and are stored unencrypted, so secrets are refused. */
const settings = object.superRefine((given, context) => {
  for (const { path, message } of channelSettings.safeParse(given).error?.issues ?? [])
    context.addIssue({ code: "custom", path, message });
  for (const name of Object.keys(given)) {
    if (/token|secret|passw|authorization|api_?key/i.test(name))
      context.addIssue({
        code: "custom",
        path: [name],
        message: "A secret does not belong into the settings; bind it as a credential",
      });
  }
});

const seconds = z.int().min(1).max(31_536_000).nullable();

const fields = {
  target_id: lineOfText({ min: 1, max: 200 }).describe(
    platformDefinitions.map(({ target }) => target.about).join(". "),
  ),
  allow_duplicate: z
    .boolean()
    .describe("Asks for another channel on a chat that has one; each post then goes there as often"),
  title: lineOfText({ min: 1, max: 200 }).nullable().describe("What people call it"),
  rate_group: key.describe("Channels of one group share a limit; usually the same as `auth_ref`"),
  send_mode: channelSchema.shape.send_mode.describe("Which posts it takes: mixed is both"),
  rate_rps: rate.describe("Posts a second into this channel; null: no limit"),
  max_parallel: z.int().min(1).max(1000).describe("How many may be on their way at once; 1 keeps the order"),
  timezone: z
    .string()
    .max(100)
    .nullable()
    .describe("Of its posting window, such as `Europe/Moscow`; null: the workspace's"),
  window_mode: channelSchema.shape.window_mode.describe("windowed: posts only inside `posting_window`"),
  posting_window: object
    .nullable()
    .describe(
      'Intervals by weekday and by date: `{"mon": [["09:00", "18:00"]], "holidays": {"2027-01-01": []}}`',
    ),
  dedup_ttl_hours: z
    .int()
    .min(0)
    .max(87_600)
    .nullable()
    .describe("How long the same post is not sent again; null: 168"),
  unknown_policy: channelSchema.shape.unknown_policy.describe(
    "When nobody knows whether a post arrived: at_least_once sends again, at_most_once leaves it to a person",
  ),
  max_age_seconds: seconds.describe(
    "A post that is older when its turn comes is not sent; null: none is too old",
  ),
  on_stale: channelSchema.shape.on_stale.describe(
    "What becomes of a post that is too old: hold keeps it for a person",
  ),
  catchup: channelSchema.shape.catchup.describe("After an outage: paced sends the oldest first"),
  silence_after_seconds: seconds.describe("An alert when it posted nothing for so long; null: none"),
  pause_on_permanent_seconds: z
    .int()
    .min(60)
    .max(604_800)
    .nullable()
    .describe("How long it rests when it refused for good; null: as the workspace's policy says"),
  disable_after_permanent_streak: z
    .int()
    .min(1)
    .max(1000)
    .nullable()
    .describe("So many refusals in a row switch it off; null: as the workspace's policy says"),
  template_ref: z
    .string()
    .max(64)
    .nullable()
    .describe("The template that its posts are written by; null: none"),
  settings: settings.describe(
    "Defaults for posts that do not say, such as `parse_mode`, `silent`, `too_long`",
  ),
  tags: tagList.describe("Labels of the channel; which posts it takes, says `route_filter`"),
  route_filter: z
    .strictObject({
      include_any: tagList.optional(),
      include_all: tagList.optional(),
      exclude: tagList.optional(),
    })
    .nullable()
    .describe("Which posts it takes, by their tags; null: all"),
};

export const newChannel = z
  .strictObject(fields)
  .partial()
  .extend({
    platform,
    target_id: fields.target_id,
    auth_ref: key.describe("The name of the credential it sends with"),
    enabled: z
      .boolean()
      .optional()
      .describe("false: it stays switched off until it is resumed, so that it can be tested first"),
    reason: reason.optional(),
  });
export type NewChannel = Omit<z.infer<typeof newChannel>, "reason">;

/** Without `auth_ref`, which is rotated, `enabled`, which is switched, and what a channel belongs to, which does not change. */
export const channelChanges = somethingOf(
  z.strictObject(fields).partial().extend({ reason: reason.optional() }),
);
export type ChannelChanges = Omit<z.infer<typeof channelChanges>, "reason">;

/** What an operation did, or would do in a dry run. */
export const operationReport = z
  .object({
    dry_run: z.boolean(),
    channels: z.array(
      channelSchema
        .pick({ channel_id: true, platform: true, target_id: true, title: true, state: true })
        .extend({ changes: changesSchema }),
    ),
  })
  .meta({ id: "ChannelOperation" });
export type OperationReport = z.infer<typeof operationReport>;

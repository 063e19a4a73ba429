/** The settings of a channel in the order of the form, and which of them a platform has. */
import { type PlatformName, platforms } from "../shapes.ts";

export type Kind =
  | "text"
  | "number"
  | "duration"
  | "choice"
  | "yes"
  | "tags"
  | "template"
  | "json"
  | "intervals"
  | "days";

export interface FieldSpec {
  /** The field of the API; a part of `settings`, `route_filter` or `posting_window` comes after a dot. */
  readonly key: string;
  readonly kind: Kind;
  /** Besides these, `""` leaves it unset where `unset` is given. */
  readonly choices?: readonly string[];
  readonly unset?: boolean;
  /** All of them unless given. */
  readonly only?: readonly PlatformName[];
  /** Shown when another field of the form has this value. */
  readonly when?: readonly [key: string, value: string];
}

export const weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;

const messengers = ["telegram", "max"] as const;
const yesNo = { kind: "choice", choices: ["true", "false"], unset: true } as const;
const windowed = ["window_mode", "windowed"] as const;

export const groups = {
  basic: [
    { key: "title", kind: "text" },
    { key: "tags", kind: "tags" },
    { key: "target_id", kind: "text" },
    { key: "allow_duplicate", kind: "yes" },
  ],
  routing: [
    { key: "route_filter.include_any", kind: "tags" },
    { key: "route_filter.include_all", kind: "tags" },
    { key: "route_filter.exclude", kind: "tags" },
    { key: "send_mode", kind: "choice", choices: ["mixed", "text", "media"] },
    { key: "template_ref", kind: "template" },
  ],
  time: [
    { key: "window_mode", kind: "choice", choices: ["immediate", "windowed"] },
    { key: "timezone", kind: "text" },
    ...weekdays.map((day) => ({ key: `posting_window.${day}`, kind: "intervals", when: windowed }) as const),
    { key: "posting_window.holidays", kind: "days", when: windowed },
  ],
  pace: [
    { key: "rate_rps", kind: "number" },
    { key: "max_parallel", kind: "number" },
    { key: "rate_group", kind: "text" },
    { key: "dedup_ttl_hours", kind: "number" },
    { key: "catchup", kind: "choice", choices: ["paced", "newest_first"] },
  ],
  freshness: [
    { key: "max_age_seconds", kind: "duration" },
    { key: "on_stale", kind: "choice", choices: ["drop", "hold"] },
    { key: "silence_after_seconds", kind: "duration" },
  ],
  trouble: [
    { key: "unknown_policy", kind: "choice", choices: ["at_least_once", "at_most_once"] },
    { key: "pause_on_permanent_seconds", kind: "duration" },
    { key: "disable_after_permanent_streak", kind: "number" },
  ],
  look: [
    { key: "settings.parse_mode", kind: "choice", choices: ["HTML", "Markdown", "None"], unset: true },
    {
      key: "settings.dialect",
      kind: "choice",
      choices: ["commonmark", "telegram", "telegram_legacy", "max"],
      unset: true,
    },
    {
      key: "settings.too_long",
      kind: "choice",
      choices: ["refuse", "split"],
      unset: true,
      only: [...messengers, "vk"],
    },
    { key: "settings.broken_markup", kind: "choice", choices: ["refuse", "plain"], unset: true },
    { key: "settings.strict", ...yesNo },
    { key: "settings.disable_preview", ...yesNo, only: [...messengers, "vk"] },
    { key: "settings.silent", ...yesNo, only: [...messengers, "vk"] },
    { key: "settings.convert_images", ...yesNo },
    { key: "settings.protect", ...yesNo, only: ["telegram"] },
    { key: "settings.thread_id", kind: "text", only: ["telegram"] },
    {
      key: "settings.markup",
      kind: "choice",
      choices: ["entities", "html"],
      unset: true,
      only: ["telegram"],
    },
    { key: "settings.photos", kind: "choice", choices: ["upload", "link"], unset: true, only: ["vk"] },
    {
      key: "settings.articles",
      kind: "choice",
      choices: ["shorten", "refuse"],
      unset: true,
      only: ["vk", "pinterest"],
    },
    {
      key: "settings.status",
      kind: "choice",
      choices: ["publish", "draft"],
      unset: true,
      only: ["wordpress"],
    },
    { key: "settings.publish_after_minutes", kind: "number", only: ["wordpress"] },
    { key: "settings.site_categories", kind: "tags", only: ["wordpress"] },
    { key: "settings.site_tags", kind: "tags", only: ["wordpress"] },
    { key: "settings.robots", kind: "text", only: ["wordpress"] },
    {
      key: "settings.schema_type",
      kind: "choice",
      choices: ["Article", "BlogPosting", "NewsArticle", "TechArticle", "HowTo", "Product"],
      unset: true,
      only: ["wordpress"],
    },
    { key: "settings.other", kind: "json" },
  ],
} as const satisfies Readonly<Record<string, readonly FieldSpec[]>>;

export type Group = keyof typeof groups;
export const groupNames = [
  "basic",
  "routing",
  "time",
  "pace",
  "freshness",
  "trouble",
  "look",
] as const satisfies Group[];

export function fieldsOf(platform: string, group: Group): readonly FieldSpec[] {
  const fields: readonly FieldSpec[] = groups[group];
  const known = platforms.find((each) => each === platform);
  return fields.filter(({ only }) => !only || (known !== undefined && only.includes(known)));
}

export function allFields(platform: string): readonly FieldSpec[] {
  return groupNames.flatMap((group) => fieldsOf(platform, group));
}

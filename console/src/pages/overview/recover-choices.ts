/** What an operator may choose when bringing posts back. Pure. */
import type { Recovered, Recovery } from "../../api/index.ts";

export const periods = [
  { name: "hour", hours: 1 },
  { name: "day", hours: 24 },
  { name: "week", hours: 168 },
  { name: "month", hours: 720 },
] as const;

export const sinceOf = (now: number, hours: number) => new Date(now - hours * 3_600_000).toISOString();

export interface Choice {
  readonly value: string;
  readonly kind: "credential" | "channel";
  readonly name: string;
}

export const channelChoice = (id: string, name: string): Choice => ({
  ...{ value: `channel ${id}`, kind: "channel", name },
});

export const credentialChoice = (platform: string, authRef: string): Choice => ({
  ...{ value: `credential ${platform}/${authRef}`, kind: "credential", name: `${platform}/${authRef}` },
});

/** The credentials and channels that have something to bring back, credentials first. */
export function choicesOf(channels: Recovered["channels"]): Choice[] {
  const credentials = [...new Set(channels.map(({ platform, auth_ref }) => `${platform}/${auth_ref}`))];
  return [
    ...credentials.sort().map((name) => ({ value: `credential ${name}`, kind: "credential" as const, name })),
    ...channels.map(({ channel_id, title, target }) => ({
      value: `channel ${channel_id}`,
      kind: "channel" as const,
      name: title ?? target,
    })),
  ];
}

/** The part of the request for a choice; none for everything. */
export function scopeOf(value: string): Omit<Recovery, "since"> {
  const [, kind, name = ""] = /^(credential|channel) (.+)$/.exec(value) ?? [];
  if (kind === "channel") return { channel_id: name };
  if (kind !== "credential") return {};
  const slash = name.indexOf("/");
  return { credential: { platform: name.slice(0, slash), auth_ref: name.slice(slash + 1) } };
}

import { parseModes, postFromPayload } from "../../content/index.ts";
import type { ChannelProfile, Compiled, PlatformName, Platforms, SendError } from "../../platforms/index.ts";

/** One example of the channels that get the same compiled post; `key` is channels.profile_key. */
export interface Profile {
  readonly key: string;
  readonly platform: PlatformName;
  readonly target_id: string;
  readonly send_mode: ChannelProfile["sendMode"];
  readonly settings: Readonly<Record<string, unknown>>;
}

/** What enqueue stores with each delivery of a profile, or why none of them can be sent. */
export type Rendering =
  | { readonly ok: true; readonly text: string; readonly meta: { readonly compiled: Compiled } }
  | { readonly ok: false; readonly error: SendError };

/** The exact preflight: the post compiled once for each kind of channel that it would reach. */
export function compileForProfiles(
  payload: unknown,
  profiles: readonly Profile[],
  platforms: Platforms,
): Record<string, Rendering> {
  const renderings: Record<string, Rendering> = {};
  for (const profile of profiles) renderings[profile.key] = compileFor(payload, profile, platforms);
  return renderings;
}

export function compileFor(payload: unknown, profile: Omit<Profile, "key">, platforms: Platforms): Rendering {
  const channel: ChannelProfile = {
    platform: profile.platform,
    targetId: profile.target_id,
    sendMode: profile.send_mode,
    settings: profile.settings,
  };
  const parseMode = parseModes.find((mode) => mode === channel.settings.parse_mode);
  const post = postFromPayload(payload, parseMode ? { parseMode } : {});
  if (!post.ok) return { ok: false, error: validationFailed(post.error.message) };
  const result = platforms.platformOf(profile.platform).compile(post.post, channel);
  if (!result.ok) return { ok: false, error: result.error };
  return { ok: true, text: result.compiled.plainText, meta: { compiled: result.compiled } };
}

function validationFailed(message: string): SendError {
  return { category: "PERMANENT", scope: "delivery", code: "validation_failed", message };
}

import { z } from "zod";
import { isLoss, postFromPayload, type ReadingDefaults, type Repair } from "../../content/index.ts";
import {
  type ChannelProfile,
  channelSettings,
  type PlatformName,
  type Platforms,
  type SendError,
  type StoredPost,
  storedForm,
} from "../../platforms/index.ts";
import { type ActiveTemplate, applyTemplate } from "../templates/apply-template.ts";

/** One example of the channels that get the same compiled post; `key` is channels.profile_key. */
export interface Profile {
  readonly key: string;
  readonly platform: PlatformName;
  readonly target_id: string;
  readonly send_mode: ChannelProfile["sendMode"];
  readonly settings: Readonly<Record<string, unknown>>;
  /** The template of these channels, if there is one. */
  readonly template_ref?: string | null;
  /** Its active version; null if it has none. */
  readonly template?: ActiveTemplate | null;
}

/** What enqueue stores with each delivery of a profile, or why none of them can be sent. */
export type Rendering = {
  /** The template and its version that made the text: `news@3`. */
  readonly template_version?: string;
} & (
  | {
      readonly ok: true;
      readonly text: string;
      readonly meta: { readonly compiled: StoredPost; readonly repairs?: readonly Repair[] };
    }
  | { readonly ok: false; readonly error: SendError }
);

/** Compiles a normalised payload for channels of this profile. Pure. */
export function compileFor(payload: unknown, profile: Omit<Profile, "key">, platforms: Platforms): Rendering {
  if (!profile.template_ref) return compile(payload, profile, platforms);
  const { template } = profile;
  if (!template) return refused(`the channel's template "${profile.template_ref}" has no active version`);
  const version = { template_version: `${template.id}@${template.version}` };
  const applied = applyTemplate(template, fieldsOf(payload), profile.settings);
  if (!applied.ok)
    return { ...version, ...refused(`template ${version.template_version}, ${applied.error.message}`) };
  return { ...version, ...compile(applied.payload, profile, platforms) };
}

function compile(payload: unknown, profile: Omit<Profile, "key">, platforms: Platforms): Rendering {
  const channel = channelOf(profile);
  const settings = channelSettings.safeParse(channel.settings).data ?? {};
  const read = postFromPayload(payload, readingDefaults(settings));
  if (!read.ok) return refused([read.error.pointer, read.error.message].filter(Boolean).join(": "));
  const { post, repairs } = read;
  const lost = settings.strict ? repairs.find(isLoss) : undefined;
  if (lost) return refused(`the channel is strict and ${inWords(lost)} (${lost.code})`);
  const result = platforms.platformOf(profile.platform).compile(post, channel);
  if (!result.ok) return { ok: false, error: result.error };
  const { compiled } = result;
  return {
    ok: true,
    text: compiled.plainText,
    meta: { compiled: storedForm(compiled), ...(repairs.length > 0 && { repairs }) },
  };
}

/** The payload with the sender's own rendering in place of its text, if the sender gave one. */
export function withText(payload: unknown, renderedText: string | null | undefined): unknown {
  const text = renderedText?.trim();
  return text ? { ...fields.parse(payload), text } : payload;
}

export function channelOf(profile: Omit<Profile, "key">): ChannelProfile {
  return {
    platform: profile.platform,
    targetId: profile.target_id,
    sendMode: profile.send_mode,
    settings: profile.settings,
  };
}

function readingDefaults({
  parse_mode,
  dialect,
  broken_markup,
}: z.infer<typeof channelSettings>): ReadingDefaults {
  return {
    ...(parse_mode && { parseMode: parse_mode }),
    ...(dialect && { dialect }),
    ...(broken_markup && { brokenMarkup: broken_markup }),
  };
}

function inWords({ message, position }: Repair): string {
  return position ? `${message}, at line ${position.line}, column ${position.column}` : message;
}

const fields = z.record(z.string(), z.unknown());

/** A payload that is not an object has no fields for a template. */
function fieldsOf(payload: unknown): Readonly<Record<string, unknown>> {
  return fields.safeParse(payload).data ?? {};
}

function refused(message: string): Rendering {
  return {
    ok: false,
    error: { category: "PERMANENT", scope: "delivery", code: "validation_failed", message },
  };
}

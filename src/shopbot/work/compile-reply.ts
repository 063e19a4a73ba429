import { type ParseMode, postFromPayload } from "../../content/index.ts";
import { type Compiled, type Platforms, withBotButtons } from "../../platforms/index.ts";
import type { Reply } from "../engine/render-reply.ts";

export type CompiledReply =
  | { readonly ok: true; readonly compiled: Compiled }
  | { readonly ok: false; readonly error: string };

export type CompileReply = (reply: Reply, parseMode: ParseMode) => CompiledReply;

/** Size of the cache: a shop repeats the same few replies. */
const kept = 500;

/** Compiles replies for the MAX adapter, with a cache. */
export function createReplyCompiler(platforms: Platforms): CompileReply {
  const known = new Map<string, CompiledReply>();
  return (reply, parseMode) => {
    const key = JSON.stringify([reply, parseMode]);
    const earlier = known.get(key);
    if (earlier) return earlier;
    const made = compile(reply, parseMode, platforms);
    if (known.size >= kept) known.delete(known.keys().next().value ?? "");
    known.set(key, made);
    return made;
  };
}

function compile({ text, buttons, media }: Reply, parseMode: ParseMode, platforms: Platforms): CompiledReply {
  const post = postFromPayload({ text, parse_mode: parseMode, media, disable_preview: true });
  if (!post.ok) return { ok: false, error: post.error.message };
  const channel = { platform: "max", targetId: "", sendMode: "mixed", settings: {} } as const;
  const result = platforms.platformOf("max").compile(post.post, channel);
  if (!result.ok) return { ok: false, error: result.error.message };
  return { ok: true, compiled: withBotButtons(result.compiled, buttons) };
}

import type { GuardedClient } from "../../kernel/outbound/index.ts";
import type { Block } from "../score/index.ts";
import { blocksOf } from "./given-texts.ts";

const limits = { bytes: 3 * 1024 * 1024, ms: 30_000 } as const;

export type OpenedPage =
  | { readonly ok: true; readonly blocks: readonly Block[] }
  | {
      readonly ok: false;
      readonly reason: "refused" | "unreachable" | "not_html";
      /** If its server answered. */
      readonly status?: number;
    };

/** Opens a page that a person likes. The guarded client refuses private addresses, also after redirects. */
export async function openLikedPage(
  guarded: GuardedClient,
  url: string,
  signal?: AbortSignal,
): Promise<OpenedPage> {
  const answer = await guarded.request({
    ...{ method: "GET", url, headers: { accept: "text/html,application/xhtml+xml" } },
    ...{ timeoutMs: limits.ms, maxBytes: limits.bytes },
    ...(signal && { signal }),
  });
  if (answer.kind === "failure")
    return { ok: false, reason: answer.reason === "refused" ? "refused" : "unreachable" };
  if (answer.status !== 200) return { ok: false, reason: "unreachable", status: answer.status };
  const type = answer.headers["content-type"] ?? "";
  if (!/^(?:text\/html|application\/xhtml\+xml)\b/i.test(type)) return { ok: false, reason: "not_html" };
  return { ok: true, blocks: blocksOf({ text: decoded(answer.body, type), format: "html" }) };
}

/** By the charset that the server names, UTF-8 unless it names one that is known. */
function decoded(body: Uint8Array, type: string): string {
  const charset = /charset="?([\w-]{1,30})/i.exec(type)?.[1] ?? "utf-8";
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    return new TextDecoder().decode(body);
  }
}

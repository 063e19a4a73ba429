import { z } from "zod";
import type { Sql } from "../../kernel/db/index.ts";
import type { HttpClient } from "../../kernel/outbound/index.ts";
import { credentialRef } from "../../workspaces/index.ts";

export interface BotApiSettings {
  readonly sql: Sql;
  readonly http: HttpClient;
  /** Without a trailing slash. */
  readonly apiRoot: string;
  token(workspaceId: string, secretRef: string): Promise<string | undefined>;
}

export type BotAnswer<Result> =
  | { readonly kind: "ok"; readonly result: Result }
  | { readonly kind: "refused"; readonly reason: string }
  /** The outcome is unknown. */
  | { readonly kind: "unheard"; readonly reason: string };

const envelope = z.union([
  z.object({ ok: z.literal(true), result: z.unknown() }),
  z.object({ ok: z.literal(false), description: z.string() }),
]);

/** One call of the Bot API by a bot of a workspace, for payments. */
export async function callBot<Result>(
  { sql, http, apiRoot, token }: BotApiSettings,
  { workspaceId, bot }: { readonly workspaceId: string; readonly bot: string },
  method: string,
  fields: Readonly<Record<string, unknown>>,
  result: z.ZodType<Result>,
): Promise<BotAnswer<Result>> {
  const ref = await credentialRef(sql, workspaceId, { platform: "telegram", auth_ref: bot });
  const key = ref && (await token(workspaceId, ref));
  if (!key) return { kind: "refused", reason: `The bot ${bot} has no token here.` };
  const answer = await http.request({
    ...{ method: "POST", url: `${apiRoot}/bot${key}/${method}`, body: JSON.stringify(fields) },
    headers: { "content-type": "application/json" },
  });
  if (answer.kind === "failure")
    return { kind: "unheard", reason: `Telegram could not be reached: ${answer.message}` };
  const read = envelope.safeParse(jsonOf(answer.body));
  if (!read.success || answer.status >= 500)
    return { kind: "unheard", reason: `Telegram answered ${answer.status}` };
  if (!read.data.ok) return { kind: "refused", reason: read.data.description };
  const parsed = result.safeParse(read.data.result);
  return parsed.success
    ? { kind: "ok", result: parsed.data }
    : { kind: "unheard", reason: `Telegram's answer to ${method} could not be read` };
}

function jsonOf(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString("utf8"));
  } catch {
    return undefined;
  }
}

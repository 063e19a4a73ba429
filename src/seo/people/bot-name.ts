/** What Telegram calls the bot of a workspace, for links to it. */
import type { TelegramApi } from "../../dialogs/index.ts";
import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql, Transaction } from "../../kernel/db/index.ts";

export interface BotNameDeps {
  readonly sql: Sql;
  readonly clock: Clock;
  api(workspaceId: string): TelegramApi;
}

/** A bot is rarely renamed, and its token rarely replaced by that of another one. */
const dayMs = 86_400_000;

/** Undefined if nobody has asked Telegram within a day. */
export async function knownBotName(
  sql: Sql | Transaction,
  workspaceId: string,
  now: Date,
): Promise<string | undefined> {
  const [row] = await sql<{ username: string }[]>`
    select username from seo.bots
    where workspace_id = ${workspaceId} and learnt_at > ${new Date(now.getTime() - dayMs)}`;
  return row?.username;
}

/** Asks Telegram if need be; undefined if it does not answer. */
export async function learnBotName(
  { sql, clock, api }: BotNameDeps,
  workspaceId: string,
): Promise<string | undefined> {
  const now = clock.now();
  const known = await knownBotName(sql, workspaceId, now);
  if (known !== undefined) return known;
  const answer = await api(workspaceId).call((telegram) => telegram.getMe());
  if (answer.kind !== "ok") return undefined;
  const { username } = answer.result;
  await sql`
    insert into seo.bots (workspace_id, username, learnt_at) values (${workspaceId}, ${username}, ${now})
    on conflict (workspace_id) do update set username = excluded.username, learnt_at = excluded.learnt_at`;
  return username;
}

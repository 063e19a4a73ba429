import { z } from "zod";
import { type ProblemError, problem } from "../../http/index.ts";
import type { Transaction } from "../../kernel/db/index.ts";
import { idOf, inOneChange, noteChange } from "../../workspaces/index.ts";
import type { Who } from "../admin/access.ts";
import { accountsProblem } from "../admin/problems.ts";
import { accountIdColumns } from "../id-columns.ts";
import { readObject } from "../objects/objects.ts";
import { wordsOf } from "../reasons/task-reasons.ts";
import { readSettings, type Settings } from "../settings/workspace-settings.ts";
import { keepBotHistory } from "./bot-history.ts";
import { botTime } from "./bot-window.ts";
import {
  type BotChat,
  type BotStreamDeps,
  botChats,
  enqueueObject,
  lockPosts,
  textOf,
} from "./post-object.ts";

export const botPublication = z.strictObject({
  object_id: idOf(accountIdColumns.object),
  chat_ids: z
    .array(idOf(accountIdColumns.chat))
    .min(1)
    .max(200)
    .describe("Bot chats; their filters are ignored"),
  format: z.enum(["default", "compact"]).default("default"),
  allow_duplicate: z
    .boolean()
    .default(false)
    .describe("Even within 24 hours; for admins, if the settings allow it"),
});
type BotPublication = z.output<typeof botPublication>;

export const botPublished = z.object({
  message_id: z.uuid().describe("The message of the delivery engine"),
  chats: z.int(),
  at: z.date().describe("Now, or when the window opens next"),
});
type BotPublished = z.output<typeof botPublished>;

/** Publishes an object through bots on a person's request: to all of the chats or none. */
export async function publishThroughBots(
  deps: BotStreamDeps,
  workspaceId: string,
  { object_id, chat_ids, format, allow_duplicate }: BotPublication,
  who: Who,
): Promise<BotPublished> {
  const { sql, clock } = deps;
  const wanted = [...new Set(chat_ids)];
  const now = clock.now();
  return inOneChange(sql, async (tx) => {
    await lockPosts(tx, object_id);
    const object = { ...(await readObject(tx, workspaceId, object_id, who)), format };
    if (object.archived_at !== null || !textOf(object))
      throw problem("unprocessable", {
        detail: wordsOf(textOf(object) ? "object_archived" : "no_text", {}, "en"),
      });
    const settings = await readSettings(tx, workspaceId);
    const mayRepeat = repeatsAllowed(settings, who, allow_duplicate);
    const anyTime = who.isAdmin && settings.admin_bypass_time_limit.enabled;
    const time = botTime(now, { anyTime });
    await keepBotHistory(tx, workspaceId, { objectId: object_id, now });
    const chats = await chatsNamed(tx, workspaceId, object_id, wanted, time.at);
    if (!mayRepeat) refuseRepeats(chats);
    const message_id = await enqueueObject(tx, deps, workspaceId, { object, chats: wanted, time });
    const meta = { object: "bot_publication", object_id, chat_ids: wanted, message_id };
    await noteChange(tx, { workspaceId, now, by: who, meta });
    return { message_id, chats: wanted.length, at: time.at };
  });
}

function repeatsAllowed({ allow_duplicates }: Settings, who: Who, asked: boolean): boolean {
  if (allow_duplicates.manual_bot) return true;
  if (!asked) return false;
  if (who.isAdmin && allow_duplicates.admin_bypass) return true;
  throw problem("unprocessable", {
    detail: "Repeats are not allowed; see the setting allow_duplicates.",
    errors: [{ pointer: "/allow_duplicate", detail: "Repeats are not allowed" }],
  });
}

async function chatsNamed(
  tx: Transaction,
  workspaceId: string,
  objectId: string,
  wanted: readonly string[],
  at: Date,
): Promise<BotChat[]> {
  const known = new Map((await botChats(tx, workspaceId, objectId, at)).map((chat) => [chat.id, chat]));
  const errors: ProblemError[] = wanted.flatMap((id, index) =>
    known.has(id) ? [] : [{ pointer: `/chat_ids/${index}`, detail: `No bot publishes to the chat ${id}` }],
  );
  if (errors.length > 0)
    throw problem("not_found", { detail: errors.map(({ detail }) => detail).join("; "), errors });
  return wanted.flatMap((id) => known.get(id) ?? []);
}

function refuseRepeats(chats: readonly BotChat[]): void {
  const errors: ProblemError[] = chats.flatMap(({ title, repeat }, index) =>
    repeat
      ? [{ pointer: `/chat_ids/${index}`, detail: `${title} already has it or is about to get it` }]
      : [],
  );
  if (errors.length > 0)
    throw accountsProblem("publication_duplicates", {
      detail: errors.map(({ detail }) => detail).join("; "),
      errors,
    });
}

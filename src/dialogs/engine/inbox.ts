/** Incoming updates: each is stored once by its number, and handled in order, one chat at a time. */
import { cut } from "../../kernel/words/index.ts";
import type { MessageRef } from "../flow/flow.ts";
import { type Update, updateShape } from "../messenger.ts";
import { texts } from "../texts/index.ts";
import { answerUpdate, type Decision, longestText, sceneOf } from "./answer-update.ts";
import { type EngineDeps, later, situationOf } from "./deps.ts";
import { type BotKey, lockDialogue, saveDialogue, storable } from "./dialogue.ts";
import { enter, rest } from "./steps.ts";

/** After this many failures an update is dropped, so that it does not block its chat for ever. */
const tries = 3;

/** Stores updates and skips known ones. Once this returns, none of them is lost. */
export async function receive(
  updates: readonly Update[],
  { sql, key: { workspaceId, bot }, clock }: Pick<EngineDeps<unknown>, "sql" | "key" | "clock">,
): Promise<void> {
  if (updates.length === 0) return;
  const rows = updates.map(shortened).map((body) => {
    const { id, chatId, userId, language } = body;
    return { id, chatId, userId, language, body };
  });
  await sql.begin(async (tx) => {
    const json = JSON.stringify(rows);
    await tx`
      insert into dialogs.dialogues (workspace_id, bot, chat_id, user_id, language)
      select distinct on (one."chatId") ${workspaceId}::uuid, ${bot}, one."chatId", one."userId", one.language
      from jsonb_to_recordset(${json}::text::jsonb) as one("chatId" text, "userId" text, language text)
      order by one."chatId"
      on conflict (workspace_id, bot, chat_id) do update set blocked_at = null where dialogues.blocked_at is not null`;
    await tx`
      insert into dialogs.inbox (workspace_id, bot, update_id, chat_id, body, received_at)
      select ${workspaceId}, ${bot}, one.id, one."chatId", one.body, ${clock.now()}
      from jsonb_to_recordset(${json}::text::jsonb) as one(id bigint, "chatId" text, body jsonb)
      on conflict (workspace_id, bot, update_id) do nothing`;
    await tx`select pg_notify('molva_dialogs', ${noteOf({ workspaceId, bot })})`;
  });
}

/** The notification by which the engines of this bot recognise their updates. */
export function noteOf({ workspaceId, bot }: BotKey): string {
  return `${workspaceId}/${bot}`;
}

/** Chats with waiting updates, those that waited longest first. */
export async function chatsWaiting<Services>(
  { sql, key: { workspaceId, bot }, clock }: EngineDeps<Services>,
  limit: number,
): Promise<string[]> {
  const rows = await sql<{ chat_id: string }[]>`
    select chat_id from (
      select distinct on (chat_id) chat_id, update_id, not_before from dialogs.inbox
      where workspace_id = ${workspaceId} and bot = ${bot} and done_at is null
      order by chat_id, update_id) first
    where not_before is null or not_before <= ${clock.now()}
    order by update_id limit ${limit}`;
  return rows.map(({ chat_id }) => chat_id);
}

/** Handles a chat's oldest update; false if there is none. The step and the mark that it is done are one commit. */
export async function handleNext<Services>(chatId: string, deps: EngineDeps<Services>): Promise<boolean> {
  let taken: Update | undefined;
  try {
    const decision = await deps.sql.begin(async (tx) => {
      const dialogue = await lockDialogue(tx, deps.key, chatId);
      const update = dialogue && (await oldest());
      if (!dialogue || !update) return undefined;
      taken = update;
      // An event does not tell the person's language.
      const { language } = update.kind === "event" ? dialogue : update;
      const message = messageOf(update);
      const situation = situationOf(tx, dialogue, { wrote: message !== undefined, language, message }, deps);
      const made = await answerUpdate(update, situation);
      if (made.next) await saveDialogue(tx, situation.dialogue, made.next, deps);
      else if (made.again) await showAgain(update);
      await tx`
        update dialogs.inbox set done_at = ${situation.moment.now}
        where workspace_id = ${deps.key.workspaceId} and bot = ${deps.key.bot} and update_id = ${update.id}`;
      return made;

      async function oldest(): Promise<Update | undefined> {
        const [row] = await tx<{ body: unknown }[]>`
          select body from dialogs.inbox
          where workspace_id = ${deps.key.workspaceId} and bot = ${deps.key.bot} and chat_id = ${chatId}
            and done_at is null
          order by update_id limit 1`;
        return row && updateShape.parse(row.body);
      }

      /** In the live message, or in a new one if the tap came from another message. */
      async function showAgain({ messageId }: Update): Promise<void> {
        await tx`
          update dialogs.dialogues set shown_revision = least(shown_revision, revision - 1),
            live_message_id = case when live_message_id = ${messageId ?? null} then live_message_id end
          where workspace_id = ${deps.key.workspaceId} and bot = ${deps.key.bot} and chat_id = ${chatId}
            and screen is not null`;
      }
    });
    if (!decision || !taken) return false;
    await tell(taken, decision, deps);
    return true;
  } catch (error) {
    if (!taken) throw error;
    deps.log.error({ err: error, bot: deps.key.bot, update: taken.id }, "an update could not be worked on");
    await putOff(taken, deps);
    return false;
  }
}

/** Undefined for a tap, whose message is the bot's own, and for an event, which has none. */
function messageOf({ kind, id, messageId = String(id), replyTo }: Update): MessageRef | undefined {
  return kind === "press" || kind === "event" ? undefined : { id: messageId, replyTo };
}

/**
 * Answers the update itself; the screen is shown separately, because it must be shown even if the process dies here.
 */
async function tell<Services>(update: Update, decision: Decision, { messenger, log }: EngineDeps<Services>) {
  try {
    if (update.kind === "press") await messenger.answer(update.pressId, decision.toast);
    if (decision.removeMessage && update.messageId !== undefined)
      await messenger.remove(update.chatId, update.messageId);
  } catch (error) {
    log.warn({ err: error }, "a person could not be answered at once");
  }
}

async function putOff<Services>(update: Update, deps: EngineDeps<Services>): Promise<void> {
  const { sql, key, clock } = deps;
  const now = clock.now();
  const givenUp = await sql.begin(async (tx) => {
    const dialogue = await lockDialogue(tx, key, update.chatId);
    const [row] = await tx<{ failures: number }[]>`
      update dialogs.inbox set failures = failures + 1, not_before = ${now}::timestamptz + interval '1 second' * (failures + 1)
      where workspace_id = ${key.workspaceId} and bot = ${key.bot} and update_id = ${update.id} and done_at is null
      returning failures`;
    if (!dialogue || !row || row.failures < tries) return false;
    await tx`
      update dialogs.inbox set done_at = ${now}
      where workspace_id = ${key.workspaceId} and bot = ${key.bot} and update_id = ${update.id}`;
    const { moment } = situationOf(tx, dialogue, { wrote: true }, deps);
    const scene = sceneOf(dialogue, deps.flows);
    const notice = texts[dialogue.language].trouble;
    const next = scene ? enter(scene, moment, { notice }, dialogue.work_id) : rest(notice, moment);
    await saveDialogue(tx, dialogue, next, deps);
    return true;
  });
  if (givenUp) await tell(update, {}, deps);
}

const hour = 3_600_000;
/** Updates are kept twice as long as a messenger may repeat them; the last texts of an abandoned dialogue for 30 days. */
const kept = { updatesMs: 48 * hour, wordsMs: 30 * 24 * hour } as const;

export async function forgetOld<Services>({ sql, key, clock }: EngineDeps<Services>): Promise<void> {
  const now = clock.now();
  await sql`
    delete from dialogs.inbox where workspace_id = ${key.workspaceId} and bot = ${key.bot}
      and done_at < ${later(now, -kept.updatesMs)}`;
  await sql`
    update dialogs.dialogues set screen = null, says = '[]'
    where workspace_id = ${key.workspaceId} and bot = ${key.bot}
      and flow is null and screen is not null and updated_at < ${later(now, -kept.wordsMs)}`;
}

function shortened(update: Update): Update {
  if (update.kind === "text") return { ...update, text: cut(storable(update.text), longestText + 1) };
  if (update.kind === "command")
    return { ...update, argument: storable(update.argument.slice(0, longestText)) };
  if (update.kind === "press") return { ...update, payload: storable(update.payload.slice(0, 1_000)) };
  return JSON.parse(
    JSON.stringify(update, (_, inner: unknown) =>
      typeof inner === "string" ? storable(inner.slice(0, longestText)) : inner,
    ),
  );
}

/** Brings a chat to its current screen. The dialogue stores what to show, so this may be repeated at any time. */
import { z } from "zod";
import { type Invoice, invoiceShape } from "../flow/invoice.ts";
import { formattedShape } from "../flow/text.ts";
import type { Shown } from "../messenger.ts";
import { type EngineDeps, later } from "./deps.ts";

const rowShape = z.object({
  revision: z.number(),
  screen: formattedShape.extend({
    rows: z.array(
      z.array(z.object({ label: z.string(), payload: z.string().optional(), url: z.string().optional() })),
    ),
    fresh: z.boolean(),
  }),
  says: z.array(z.union([z.object({ invoice: invoiceShape }), formattedShape])),
  live_message_id: z.string().nullable(),
});
type Row = z.infer<typeof rowShape>;

const afterFaultMs = 2_000;

/** One process at a time, the newest screen only. Never throws because of a messenger. */
export async function show<Services>(chatId: string, deps: EngineDeps<Services>): Promise<void> {
  for (let row = await take(chatId, deps); row; row = await take(chatId, deps)) {
    const shown = await attempt(chatId, row, deps);
    if (shown.kind === "shown") await record(chatId, row, shown.messageId, deps);
    else if (shown.kind === "never") {
      deps.log.info({ bot: deps.key.bot, reason: shown.reason }, "a chat cannot be written to");
      await record(chatId, row, null, deps);
    } else return wait(chatId, shown.kind === "later" ? shown.afterMs : afterFaultMs, deps);
  }
}

/** Chats whose screen is outdated and that no process is showing. */
export async function chatsUnshown<Services>({ sql, key, clock }: EngineDeps<Services>, limit: number) {
  const rows = await sql<{ chat_id: string }[]>`
    select chat_id from dialogs.dialogues
    where workspace_id = ${key.workspaceId} and bot = ${key.bot} and shown_revision < revision
      and screen is not null and (showing_until is null or showing_until <= ${clock.now()})
    limit ${limit}`;
  return rows.map(({ chat_id }) => chat_id);
}

async function take<Services>(
  chatId: string,
  { sql, key, clock, leaseMs }: EngineDeps<Services>,
): Promise<Row | undefined> {
  const now = clock.now();
  const [row] = await sql`
    update dialogs.dialogues set showing_until = ${later(now, leaseMs)}
    where workspace_id = ${key.workspaceId} and bot = ${key.bot} and chat_id = ${chatId}
      and shown_revision < revision and screen is not null and (showing_until is null or showing_until <= ${now})
    returning revision, screen, says, live_message_id`;
  return row && rowShape.parse(row);
}

async function attempt<Services>(chatId: string, row: Row, deps: EngineDeps<Services>): Promise<Shown> {
  const { messenger, log } = deps;
  try {
    for (const words of row.says) {
      const said =
        "invoice" in words
          ? await bill(chatId, words.invoice, deps)
          : await messenger.send(chatId, { ...words, rows: [] });
      if (said.kind !== "shown") return said;
      await dropSaid(chatId, deps);
    }
    return await place(chatId, row, deps);
  } catch (error) {
    log.warn({ err: error, bot: deps.key.bot }, "a screen could not be shown");
    return { kind: "later", afterMs: afterFaultMs };
  }
}

/** An invoice that the messenger refuses for good is skipped: the screen after it must still be shown. */
async function bill<Services>(
  chatId: string,
  invoice: Invoice,
  { messenger, log, key }: EngineDeps<Services>,
): Promise<Shown> {
  const shown = await messenger.invoice?.(chatId, invoice);
  if (shown && shown.kind !== "gone") return shown;
  log.error({ bot: key.bot, payload: invoice.payload }, "an invoice could not be sent");
  return { kind: "shown", messageId: "" };
}

async function place<Services>(
  chatId: string,
  row: Row,
  { messenger }: EngineDeps<Services>,
): Promise<Shown> {
  const { fresh, ...screen } = row.screen;
  const live = row.live_message_id;
  if (live !== null && !fresh) {
    const edited = await messenger.edit(chatId, live, screen);
    if (edited.kind !== "gone") return edited;
    return messenger.send(chatId, screen);
  }
  const sent = await messenger.send(chatId, screen);
  if (sent.kind === "shown" && live !== null) await messenger.retire(chatId, live);
  return sent;
}

async function dropSaid<Services>(chatId: string, { sql, key }: EngineDeps<Services>): Promise<void> {
  await sql`
    update dialogs.dialogues set says = says - 0
    where workspace_id = ${key.workspaceId} and bot = ${key.bot} and chat_id = ${chatId}`;
}

async function record<Services>(
  chatId: string,
  row: Row,
  messageId: string | null,
  { sql, key }: EngineDeps<Services>,
) {
  await sql`
    update dialogs.dialogues set
      shown_revision = ${row.revision}, live_message_id = ${messageId}, showing_until = null,
      says = case when ${messageId === null} then '[]' else says end,
      screen = screen || jsonb_build_object('fresh', revision > ${row.revision} and (screen->>'fresh')::boolean)
    where workspace_id = ${key.workspaceId} and bot = ${key.bot} and chat_id = ${chatId}`;
}

async function wait<Services>(
  chatId: string,
  ms: number,
  { sql, key, clock }: EngineDeps<Services>,
): Promise<void> {
  await sql`
    update dialogs.dialogues set showing_until = ${later(clock.now(), ms)}
    where workspace_id = ${key.workspaceId} and bot = ${key.bot} and chat_id = ${chatId}`;
}

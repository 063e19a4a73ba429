import { afterAll, beforeAll, expect, it } from "vitest";
import { demo } from "../../src/delivery/index.ts";
import { type RunningSystem, startSystem } from "../support/running-system.ts";

/**
 * The same posts over HTTP (compiled on arrival) and over plain SQL (checked by the baseline, compiled when sent) must
 * end in the same states with the same errors, and readers must see the same.
 */
let running: RunningSystem;
beforeAll(async () => {
  running = await startSystem({
    prepare: async ({ sql }) => {
      await sql`update delivery.channels set rate_rps = null, max_parallel = 100, dedup_ttl_hours = 0`;
      await sql`update delivery.channels set send_mode = 'text' where target_id = '-1002000000002'`;
      await sql`update delivery.channels set send_mode = 'media' where target_id = '-70000002'`;
      await sql`
        update delivery.channels set settings = '{"parse_mode": "HTML", "too_long": "split"}' where target_id = '-70000001'`;
      await sql`
        update delivery.channels set settings = '{"too_long": "split", "broken_markup": "plain", "markup": "html"}'
        where target_id = '-1002000000002'`;
    },
  });
});
afterAll(() => running.stop());

const photo = () => ({ type: "photo", url: `${running.twinsUrl}/demo/city.jpg` });
const posts: Record<string, () => Record<string, unknown>> = {
  "plain text": () => ({ text: "Обычный пост" }),
  "HTML with an entity": () => ({ text: "<b>Жирный</b> &amp; <i>курсив</i>", parse_mode: "HTML" }),
  Markdown: () => ({ text: "**Жирный** и [ссылка](https://example.com)", parse_mode: "Markdown" }),
  "Telegram's own Markdown": () => ({ text: "*Жирный* и ||тайна||, 1\\.5", parse_mode: "MarkdownV2" }),
  "MAX's own Markdown": () => ({ text: "++Черта++ и ^^свет^^", parse_mode: "Markdown", dialect: "max" }),
  "Markdown that is long only by its addresses": () => ({
    text: "[слово](https://example.com/a/b/c/d/e/f) ".repeat(150),
    parse_mode: "Markdown",
  }),
  "HTML that is long only by its entities": () => ({
    text: "&laquo;а&raquo; ".repeat(500),
    parse_mode: "HTML",
  }),
  "paragraphs for three messages": () => ({ text: `${"Предложение о погоде. ".repeat(90)}\n\n`.repeat(6) }),
  "broken HTML": () => ({ text: "<b>Не закрыт", parse_mode: "HTML" }),
  "text at MAX's limit": () => ({ text: "я".repeat(4000) }),
  "text over MAX's limit": () => ({ text: "я".repeat(4001) }),
  "text at Telegram's limit": () => ({ text: "я".repeat(4096) }),
  "text over Telegram's limit": () => ({ text: "я".repeat(4097) }),
  "emoji that count twice, over the limit": () => ({ text: "😀".repeat(2049) }),
  "one photo with a caption": () => ({ text: "Подпись", media: [photo()] }),
  "an album without text": () => ({ media: [photo(), photo()] }),
  "an album that is too large for Telegram": () => ({
    text: "Много",
    media: Array.from({ length: 11 }, photo),
  }),
  buttons: () => ({ text: "Нажмите", buttons: [[{ text: "Сайт", url: "https://example.com" }]] }),
};

interface End {
  channel: string;
  status: string;
  code: string | null;
  text: string | null;
}

async function ends(messageId: string): Promise<End[]> {
  return (await running.settled(messageId)).map(({ target_id, status, last_error, rendered_text }) => ({
    channel: String(target_id),
    status: String(status),
    code: codeOf(last_error),
    text: status === "sent" ? String(rendered_text) : null,
  }));
}

function codeOf(error: unknown): string | null {
  return typeof error === "object" && error !== null && "code" in error ? String(error.code) : null;
}

async function seenBy(chat: string): Promise<unknown[]> {
  const provider = chat.startsWith("-100") ? "telegram" : "max";
  const messages = await running.messages(provider, chat);
  return messages.map(({ text, marks, media, buttons }) => ({
    text,
    marks,
    media: media.map(({ kind }) => kind),
    buttons,
  }));
}

// covers autoposting: Ingest requirements; Preflight validation; Transactional SQL boundary; Point 16
it.each(Object.keys(posts))("%s ends alike through HTTP and through SQL", async (name) => {
  const chats = ["-1002000000001", "-1002000000002", "-70000001", "-70000002"];
  const payload = posts[name]?.();
  const before = await Promise.all(chats.map(seenBy));

  const { message_id } = await running.post({ payload });
  const throughHttp = await ends(message_id);
  const afterHttp = await Promise.all(chats.map(seenBy));

  // Deleted, so that the second path starts like the first.
  await running.database.sql`truncate delivery.messages, delivery.deliveries cascade`;
  const raw = running.database.sql.json(JSON.parse(JSON.stringify({ payload })));
  const [row] = await running.database.sql`
    select delivery.enqueue_messages_and_deliveries(${demo.workspaceId}, null, 'webhook_push', ${raw}) as counts`;
  const throughSql = await ends(row?.counts.message_id);
  const afterSql = await Promise.all(chats.map(seenBy));

  expect(throughSql).toEqual(throughHttp);
  for (const [index, seen] of before.entries()) {
    const http = afterHttp[index]?.slice(seen.length);
    const sql = afterSql[index]?.slice(afterHttp[index]?.length);
    expect(sql).toEqual(http);
  }
});

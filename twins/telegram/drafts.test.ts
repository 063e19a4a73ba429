import { afterAll, beforeAll, expect, test } from "vitest";
import { botToken, groupId, personId, startTelegram, type TestTelegram } from "./testing.ts";

let telegram: TestTelegram;
beforeAll(async () => {
  telegram = await startTelegram();
});
afterAll(() => telegram.close());

const draft = (fields: Record<string, unknown>) =>
  telegram.call<boolean>("sendMessageDraft", { chat_id: personId, draft_id: 7, text: "Думаю", ...fields });

test("a bot shows what it is about to say, and nothing of it stays", async () => {
  expect(await draft({ text: "<b>Ду</b>", parse_mode: "HTML" })).toEqual({ ok: true, result: true });
  expect(await draft({ text: "" })).toMatchObject({ ok: true });
  const { messages } = await telegram.twins.control<{ messages: unknown[] }>(
    "GET",
    `/chats/telegram/${personId}/messages?limit=10`,
  );
  expect(messages).toEqual([]);
});

test.each([
  ["in a group", { chat_id: groupId }, "TEXTDRAFT_PEER_INVALID"],
  ["without a number", { draft_id: 0 }, "draft_id must be non-zero"],
  ["longer than a message", { text: "а".repeat(4_097) }, "message is too long"],
  ["with broken markup", { text: "<b>x", parse_mode: "HTML" }, "can't parse entities"],
] as const)("a draft %s is refused", async (_, fields, words) => {
  expect(await draft(fields)).toMatchObject({ ok: false, error_code: 400 });
  expect((await draft(fields)).description).toContain(words);
});

test("a person sends a voice message, which the bot can fetch", async () => {
  const data = `data:audio/ogg;base64,${Buffer.from("OggS voice").toString("base64")}`;
  await telegram.twins.control("POST", `/telegram/chats/${personId}/say`, { file: { kind: "voice", data } });
  const { result } = await telegram.call<{ message: { voice: { file_id: string } } }[]>("getUpdates");
  const { file_id } = result.at(-1)?.message.voice ?? { file_id: "" };
  const file = await telegram.call<{ file_path: string }>("getFile", { file_id });
  const bytes = await fetch(`${telegram.twins.url}/telegram/file/bot${botToken}/${file.result.file_path}`);
  expect(await bytes.text()).toBe("OggS voice");
});

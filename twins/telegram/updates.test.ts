import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { eventually } from "../../tests/support/until.ts";
import { type TestClock, testClock } from "../shared/testing.ts";
import { channelId, groupId, personId, png, startTelegram, type TestTelegram } from "./testing.ts";
import { retryDelayMs } from "./webhooks.ts";

interface Update {
  update_id: number;
  message?: {
    message_id: number;
    text?: string;
    chat: { id: number };
    from: { id: number; first_name: string };
    photo?: unknown[];
  };
  callback_query?: { id: string; data: string; from: { id: number }; message: { text: string } };
  my_chat_member?: { new_chat_member: { status: string } };
}

let clock: TestClock;
let telegram: TestTelegram;
beforeEach(async () => {
  clock = testClock();
  telegram = await startTelegram({ clock });
});
afterEach(() => telegram.close());

const refused = (reason: string) => ({ ok: false, error_code: 400, description: `Bad Request: ${reason}` });
const say = (text: string, chat: number = personId, more: object = {}) =>
  telegram.twins.control("POST", `/telegram/chats/${chat}/say`, {
    text,
    from: { first_name: "Ира" },
    ...more,
  });
const poll = async (fields: Record<string, unknown> = {}) =>
  (await telegram.call<Update[]>("getUpdates", fields)).result;

async function sentButton(): Promise<number> {
  const reply_markup = {
    inline_keyboard: [
      [
        { text: "Да", callback_data: "y:1" },
        { text: "Сайт", url: "ya.ru" },
      ],
    ],
  };
  const sent = await telegram.call<{ message_id: number }>("sendMessage", {
    chat_id: personId,
    text: "Купить?",
    reply_markup,
  });
  return sent.result.message_id;
}

describe("long polling", () => {
  test("what a person writes waits until an offset confirms it", async () => {
    await say("раз");
    await say("два");
    const first = await poll();
    expect(first.map(({ message }) => message?.text)).toEqual(["раз", "два"]);
    expect(first[0]?.message).toMatchObject({
      chat: { id: personId },
      from: { id: personId, first_name: "Ира" },
    });
    expect(await poll({ limit: 1 })).toHaveLength(1);
    const rest = await poll({ offset: (first[0]?.update_id ?? 0) + 1 });
    expect(rest.map(({ message }) => message?.text)).toEqual(["два"]);
    expect(await poll({ offset: (first[1]?.update_id ?? 0) + 1 })).toEqual([]);
  });

  test("a waiting poll ends as soon as something happens", async () => {
    const waiting = poll({ timeout: 30 });
    await say("наконец");
    expect((await waiting)[0]?.message?.text).toBe("наконец");
  });

  test("a second poller ends the first", async () => {
    const first = telegram.call("getUpdates", { timeout: 30 });
    const second = telegram.call<Update[]>("getUpdates", { timeout: 30 });
    const loser = await Promise.race([first, second]);
    expect(loser).toEqual({
      ok: false,
      error_code: 409,
      description:
        "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running",
    });
    await say("победителю");
    const answers = await Promise.all([first, second]);
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
  });

  test("an active webhook forbids polling", async () => {
    await telegram.call("setWebhook", { url: "http://127.0.0.1:1/" });
    expect(await telegram.call("getUpdates")).toEqual({
      ok: false,
      error_code: 409,
      description:
        "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
    });
    await telegram.call("deleteWebhook");
    expect((await telegram.call("getUpdates")).ok).toBe(true);
  });

  test("updates older than a day are gone", async () => {
    await say("вчера");
    clock.advance(24 * 3_600_000 + 1);
    expect(await poll()).toEqual([]);
  });

  test("only the kinds that the bot asked for arrive", async () => {
    await poll({ allowed_updates: ["callback_query"] });
    await say("не слышно");
    expect(await poll()).toEqual([]);
  });

  test("an update may come twice under one id", async () => {
    await say("дважды", personId, { copies: 2 });
    const ids = (await poll()).map(({ update_id }) => update_id);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
  });

  test("in a group a bot hears commands and mentions, an administrator hears everything", async () => {
    await say("просто так", groupId);
    await say("/start", groupId);
    await say("эй, @shop_bot", groupId);
    expect((await poll()).map(({ message }) => message?.text)).toEqual(["/start", "эй, @shop_bot"]);
    await telegram.twins.control("PATCH", `/telegram/chats/${groupId}`, {
      members: [{ bot: "shop_bot", status: "administrator" }],
    });
    await say("теперь слышно", groupId);
    expect((await poll()).at(-1)?.message?.text).toBe("теперь слышно");
  });

  test("a photo from a person comes with its sizes", async () => {
    const photo = `data:image/png;base64,${Buffer.from(png(640, 480)).toString("base64")}`;
    await say("", personId, { photo });
    expect((await poll())[0]?.message?.photo).toHaveLength(3);
  });

  test("a bot hears that it was blocked", async () => {
    await telegram.twins.control("PATCH", `/telegram/chats/${personId}`, { block: true });
    expect((await poll())[0]?.my_chat_member?.new_chat_member.status).toBe("kicked");
  });
});

describe("buttons", () => {
  const press = (message_id: number, column = 0) =>
    telegram.twins.control<{ callback_query_id: string }>("POST", `/telegram/chats/${personId}/press`, {
      message_id,
      row: 0,
      column,
    });

  test("a tap arrives with its data and its message, and is answered once", async () => {
    const { callback_query_id } = await press(await sentButton());
    const [update] = await poll();
    expect(update?.callback_query).toMatchObject({
      id: callback_query_id,
      data: "y:1",
      from: { id: personId },
      message: { text: "Купить?" },
    });
    const answer = { callback_query_id, text: "Готово", show_alert: true };
    expect((await telegram.call("answerCallbackQuery", answer)).result).toBe(true);
    expect(await telegram.twins.control("GET", `/telegram/callbacks/${callback_query_id}`)).toEqual({
      id: callback_query_id,
      answered: true,
      text: "Готово",
      show_alert: true,
    });
    const tooLate = refused("query is too old and response timeout expired or query ID is invalid");
    expect(await telegram.call("answerCallbackQuery", answer)).toEqual(tooLate);
  });

  test("an answer after 15 minutes, to an unknown tap or with a long text is refused", async () => {
    const { callback_query_id } = await press(await sentButton());
    clock.advance(15 * 60_000 + 1);
    const tooLate = refused("query is too old and response timeout expired or query ID is invalid");
    expect(await telegram.call("answerCallbackQuery", { callback_query_id })).toEqual(tooLate);
    expect(await telegram.call("answerCallbackQuery", { callback_query_id: "1" })).toEqual(tooLate);
    const long = await telegram.call("answerCallbackQuery", { callback_query_id, text: "a".repeat(201) });
    expect(long).toEqual(refused("MESSAGE_TOO_LONG"));
  });

  test("a link button and an empty place cannot be tapped", async () => {
    const message = await sentButton();
    await expect(press(message, 1)).rejects.toThrow("400");
    await expect(press(message, 5)).rejects.toThrow("400");
  });

  test("a button of the reply keyboard says its text", async () => {
    const reply_markup = { keyboard: [["Каталог"]] };
    const sent = await telegram.call<{ message_id: number }>("sendMessage", {
      chat_id: personId,
      text: "a",
      reply_markup,
    });
    await press(sent.result.message_id);
    expect((await poll())[0]?.message?.text).toBe("Каталог");
  });
});

describe("webhooks", () => {
  interface Delivery {
    at: number;
    headers: IncomingMessage["headers"];
    update: Update;
  }
  let receiver: Server;
  let url: string;
  let deliveries: Delivery[];
  let respond: (delivery: Delivery) => { status: number; headers?: Record<string, string>; body?: string };

  beforeEach(async () => {
    deliveries = [];
    respond = () => ({ status: 200 });
    receiver = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const update: Update = JSON.parse(Buffer.concat(chunks).toString());
      const delivery = { at: performance.now(), headers: request.headers, update };
      deliveries.push(delivery);
      const { status, headers, body } = respond(delivery);
      response.writeHead(status, headers).end(body);
    });
    await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  });
  afterEach(() => {
    receiver.closeAllConnections();
    receiver.close();
  });

  const arrived = (count: number) =>
    eventually(
      () => deliveries,
      ({ length }) => length >= count,
    );
  const info = async () => (await telegram.call("getWebhookInfo")).result;

  test("an update is posted with the secret, in order, and is gone when it was taken", async () => {
    await telegram.call("setWebhook", { url, secret_token: "s3cret_-" });
    await say("раз");
    await say("два");
    await arrived(2);
    expect(deliveries.map(({ update }) => update.message?.text)).toEqual(["раз", "два"]);
    expect(deliveries[0]?.headers["x-telegram-bot-api-secret-token"]).toBe("s3cret_-");
    await eventually(async () => ((await info()).pending_update_count === 0 ? true : undefined));
  });

  test("what waited before the webhook was set is delivered, unless it is dropped", async () => {
    await say("ждал");
    await telegram.call("setWebhook", { url });
    expect((await arrived(1))[0]?.update.message?.text).toBe("ждал");
    await telegram.call("deleteWebhook");
    await say("лишнее");
    await telegram.call("setWebhook", { url, drop_pending_updates: true });
    await say("нужное");
    expect((await arrived(2))[1]?.update.message?.text).toBe("нужное");
  });

  test("a refusal is retried after a second under the same id, and remembered", async () => {
    respond = () => ({ status: deliveries.length === 1 ? 500 : 200 });
    await telegram.call("setWebhook", { url });
    await say("настойчиво");
    const [first, second] = await arrived(2);
    expect(second?.update).toEqual(first?.update);
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(900);
    expect(await info()).toMatchObject({
      last_error_message: "Wrong response from the webhook: 500 Internal Server Error",
    });
  });

  test("Retry-After is obeyed: five tries take no time where the usual waits would take fifteen seconds", async () => {
    respond = () =>
      deliveries.length < 5 ? { status: 503, headers: { "retry-after": "0" } } : { status: 200 };
    await telegram.call("setWebhook", { url });
    await say("сразу");
    await arrived(5);
  });

  test("one chat's trouble does not hold another's updates", async () => {
    respond = ({ update }) => ({ status: update.message?.chat.id === personId ? 500 : 200 });
    await telegram.call("setWebhook", { url });
    await say("застряло");
    await say("/help", groupId);
    await eventually(() => deliveries.find(({ update }) => update.message?.chat.id === groupId));
  });

  test("an answer that is a call is carried out and written into the journal", async () => {
    const body = JSON.stringify({ method: "sendMessage", chat_id: personId, text: "из ответа" });
    respond = () => ({ status: 200, body });
    await telegram.call("setWebhook", { url });
    await say("привет");
    await eventually(async () => {
      const { entries } = await telegram.twins.control<{ entries: { response: unknown }[] }>(
        "GET",
        `/journal?method=sendMessage&chat=${personId}`,
      );
      return entries.length === 1 ? entries : undefined;
    });
    const { messages } = await telegram.twins.control<{ messages: { text: string }[] }>(
      "GET",
      `/chats/telegram/${personId}/messages`,
    );
    expect(messages.map(({ text }) => text)).toEqual(["привет", "из ответа"]);
  });

  test.each([
    [{ secret_token: "с пробелом" }, "secret token contains unallowed characters"],
    [{ secret_token: "a".repeat(257) }, "secret token is too long"],
    [{ url: "nonsense" }, "bad webhook: invalid URL"],
  ])("%j is refused", async (fields, reason) => {
    expect(await telegram.call("setWebhook", { url, ...fields })).toEqual(refused(reason));
  });

  test("the wait doubles from a second and ends at a minute", () => {
    expect([1, 2, 3, 7, 20].map((attempt) => retryDelayMs(attempt))).toEqual([
      1_000, 2_000, 4_000, 60_000, 60_000,
    ]);
    expect(retryDelayMs(1, 10_000)).toBe(3_600_000);
  });
});

test.each([
  ["http://example.com/", "bad webhook: An HTTPS URL must be provided for webhook"],
  ["https://example.com:8080/", "bad webhook: Webhook can be set up only on ports 80, 88, 443 or 8443"],
  ["https://127.0.0.1/", "bad webhook: IP address 127.0.0.1 is reserved"],
])("without insecureWebhooks the address %s is refused", async (url, reason) => {
  const strict = await startTelegram({ insecureWebhooks: false });
  try {
    expect(await strict.call("setWebhook", { url })).toEqual(refused(reason));
    expect((await strict.call("setWebhook", { url: "https://example.com:8443/hook" })).result).toBe(true);
    expect((await strict.call("getWebhookInfo")).result).toMatchObject({
      url: "https://example.com:8443/hook",
    });
  } finally {
    await strict.close();
  }
});

test("a channel post by a person arrives as such", async () => {
  await say("пост", channelId);
  expect(Object.keys((await poll())[0] ?? {})).toContain("channel_post");
});

import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { TwinEvent } from "../shared/index.ts";
import { type TestClock, testClock } from "../shared/testing.ts";
import { png } from "../telegram/testing.ts";
import { flash, hello, startModels, type TestModels } from "./testing.ts";

let clock: TestClock;
let models: TestModels;
beforeAll(async () => {
  clock = testClock();
  models = await startModels({ clock });
});
afterEach(() => models.twins.control("POST", "/reset"));
afterAll(() => models.close());

const image = {
  type: "image_url",
  image_url: { url: `data:image/png;base64,${Buffer.from(png(640, 480)).toString("base64")}` },
};
const sound = { type: "input_audio", input_audio: { data: wav(3).toString("base64"), format: "wav" } };
const asking = (...parts: object[]) => [
  { role: "user", content: [{ type: "text", text: "Что с ним?" }, ...parts] },
];

describe("an answer", () => {
  // covers llm: A twin for OpenRouter and OpenAI
  test("is Russian, the same for the same question, and another for another", async () => {
    const [first, again, other] = [
      await models.ask(hello),
      await models.ask(hello),
      await models.ask({ ...hello, messages: [{ role: "user", content: "У собаки судороги, что делать?" }] }),
    ];
    const text = first.body.choices[0].message.content;
    expect(text).toMatch(/[а-яё]{4}/i);
    expect(text).toContain("Чем кормить кота летом?");
    expect(again.body.choices[0].message.content).toBe(text);
    expect(other.body.choices[0].message.content).toMatch(/клиник/);
  });

  test("is the same on another day", async () => {
    const answerOn = async (day: string) => {
      const content = `Сегодня ${day}. Чем кормить кота?`;
      const { body } = await models.ask({ ...hello, messages: [{ role: "user", content }] });
      return body.choices[0].message.content.replace(day, "");
    };
    expect(await answerOn("2026-12-01")).toBe(await answerOn("2026-11-30"));
  });

  test("is about the question alone, whatever context comes before it", async () => {
    const content =
      '<profile>\n{"type":"dog","name":"Ричи"}\n</profile>\n<question>\nСколько гулять?\n</question>';
    const { body } = await models.ask({ ...hello, messages: [{ role: "user", content }] });
    expect(body.choices[0].message.content).toContain("«Сколько гулять?»");
    expect(body.choices[0].message.content).not.toMatch(/[{}"]/);
  });

  // covers llm: A twin for OpenRouter and OpenAI
  test("tells model, host, usage and what it cost by the model's price", async () => {
    const { status, body } = await models.ask(hello);
    expect(status).toBe(200);
    expect(body).toMatchObject({ object: "chat.completion", model: flash, provider: "Google" });
    const { prompt_tokens, completion_tokens, total_tokens, cost } = body.usage;
    expect(total_tokens).toBe(prompt_tokens + completion_tokens);
    expect(cost).toBeCloseTo((prompt_tokens * 0.3 + completion_tokens * 2.5) / 1e6, 9);
  });

  test("of OpenAI has no cost", async () => {
    const { body } = await models.ask({ ...hello, model: "gpt-4o-mini" }, { provider: "openai" });
    expect(body.usage.prompt_tokens).toBeGreaterThan(0);
    expect(body.usage).not.toHaveProperty("cost");
  });

  test("stops at max_tokens and says so", async () => {
    const { body } = await models.ask({ ...hello, max_tokens: 5 });
    expect(body.choices[0].finish_reason).toBe("length");
    expect(body.usage.completion_tokens).toBe(5);
  });

  // covers llm: A twin for OpenRouter and OpenAI
  test("reflects an image and a sound", async () => {
    const { body } = await models.ask({ model: flash, messages: asking(image, sound) });
    expect(body.choices[0].message.content).toMatch(/снимок 640×480 \(PNG\)[\s\S]*запись 3 с \(WAV\)/);
    expect(body.usage.prompt_tokens).toBeGreaterThan(1_000);
  });

  test("costs less for a long beginning that was sent within ten minutes", async () => {
    const messages = [{ role: "system", content: "Правила. ".repeat(600) }, ...hello.messages];
    const cached = async () =>
      (await models.ask({ ...hello, messages })).body.usage.prompt_tokens_details.cached_tokens;
    expect(await cached()).toBe(0);
    expect(await cached()).toBeGreaterThan(1_024);
    clock.advance(10 * 60_000 + 1);
    expect(await cached()).toBe(0);
  });

  test("of the first known model of a list, in its order", async () => {
    const { body } = await models.ask({
      models: ["no/such", "deepseek/deepseek-v3.2"],
      messages: hello.messages,
    });
    expect(body.model).toBe("deepseek/deepseek-v3.2");
  });
});

describe("what the provider refuses, the twin refuses", () => {
  test.each([
    ["a missing key", hello, null, 401, "No auth credentials found"],
    ["a key of another shape", hello, "abc", 401, "User not found."],
    ["an unknown key", hello, "sk-or-v1-0000000000000000unknown", 401, "User not found."],
    [
      "an unknown model",
      { ...hello, model: "no/such-model" },
      undefined,
      400,
      "no/such-model is not a valid model ID",
    ],
    ["no model", { messages: hello.messages }, undefined, 400, "No models provided"],
    ["no messages", { model: flash, messages: [] }, undefined, 400, "Invalid value for 'messages'"],
    [
      "a field nobody knows",
      { ...hello, temprature: 1 },
      undefined,
      400,
      "Unrecognized request argument supplied: temprature",
    ],
    ["a wrong type", { ...hello, max_tokens: "5" }, undefined, 400, "Invalid value for 'max_tokens'"],
    ["too hot", { ...hello, temperature: 3 }, undefined, 400, "Invalid value for 'temperature'"],
    [
      "more tokens than the model writes",
      { ...hello, max_tokens: 100_000 },
      undefined,
      400,
      "max_tokens is too large",
    ],
    [
      "an image for a model without eyes",
      { model: "deepseek/deepseek-v3.2", messages: asking(image) },
      undefined,
      404,
      "No endpoints found that support image input",
    ],
    [
      "a sound for a model without ears",
      { model: "openai/gpt-4o-mini", messages: asking(sound) },
      undefined,
      404,
      "No endpoints found that support input audio",
    ],
    [
      "a role nobody has",
      { ...hello, messages: [{ role: "boss", content: "x" }] },
      undefined,
      400,
      "Invalid value for 'messages.0.role'",
    ],
  ] as const)("%s", async (_, body, key, status, message) => {
    const answer = await models.ask(body, key === undefined ? {} : { key });
    expect(answer.status).toBe(status);
    expect(answer.body.error).toMatchObject({ code: status, message: expect.stringContaining(message) });
  });

  test("a body beyond 20 MiB", async () => {
    const content = "а".repeat(11 * 1024 * 1024);
    expect(await models.ask({ model: flash, messages: [{ role: "user", content }] })).toMatchObject({
      status: 413,
    });
  });

  test("a question longer than the model remembers", async () => {
    const content = "слово ".repeat(70_000);
    const answer = await models.ask({ model: "openai/gpt-4o-mini", messages: [{ role: "user", content }] });
    expect(answer).toMatchObject({
      status: 400,
      body: { error: { metadata: { error_type: "context_length_exceeded" } } },
    });
  });

  test("a strict schema that is not closed or leaves a field to choice", async () => {
    const strict = (schema: object) =>
      models.ask({
        ...hello,
        response_format: { type: "json_schema", json_schema: { name: "a", strict: true, schema } },
      });
    const open = { type: "object", properties: { a: { type: "string" } }, required: ["a"] };
    expect((await strict(open)).body.error.message).toContain("'additionalProperties' is required");
    const optional = { ...open, required: [], additionalProperties: false };
    expect((await strict(optional)).body.error.message).toContain("Missing 'a'");
    expect((await strict({ ...open, additionalProperties: false })).status).toBe(200);
  });

  test("the old names of parameters for models that reason", async () => {
    const ask = (more: object) => models.ask({ ...hello, model: "gpt-5.2", ...more }, { provider: "openai" });
    expect(await ask({ max_tokens: 100 })).toMatchObject({
      status: 400,
      body: { error: { param: "max_tokens" } },
    });
    expect(await ask({ temperature: 0.2 })).toMatchObject({
      status: 400,
      body: { error: { code: "unsupported_value" } },
    });
    expect((await ask({ max_completion_tokens: 100 })).status).toBe(200);
  });

  test("a request that the key cannot pay for", async () => {
    const key = "sk-or-v1-0000000000000000poor";
    await models.twins.control("POST", "/openrouter/keys", { key, credits: 0.001 });
    expect((await models.ask({ ...hello, max_tokens: 300 }, { key })).status).toBe(200);
    const refused = await models.ask({ ...hello, max_tokens: 1_000 }, { key });
    expect(refused).toMatchObject({
      status: 402,
      body: { error: { message: expect.stringContaining("can only afford") } },
    });
    await models.twins.control("DELETE", `/openrouter/keys/${key}`);
    expect((await models.ask(hello, { key })).status).toBe(401);
  });

  test("more requests a minute than the key may, with the time to wait", async () => {
    const key = "sk-or-v1-0000000000000000slow";
    await models.twins.control("POST", "/openrouter/keys", { key, rpm: 2 });
    const statuses = [];
    for (let turn = 0; turn < 3; turn += 1) statuses.push((await models.ask(hello, { key })).status);
    expect(statuses).toEqual([200, 200, 429]);
    const refused = await models.ask(hello, { key });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    clock.advance(61_000);
    expect((await models.ask(hello, { key })).status).toBe(200);
  });
});

test("models are listed with their price, and the key with what it has left", async () => {
  const { url } = models.twins;
  const listed = JSON.parse(await (await fetch(`${url}/openrouter/api/v1/models`)).text());
  expect(listed.data.find(({ id }: { id: string }) => id === flash)).toMatchObject({
    pricing: { prompt: "3e-7", completion: "0.0000025" },
    architecture: { input_modalities: ["text", "image", "audio"] },
  });
  expect((await fetch(`${url}/openrouter/api/v1/key`)).status).toBe(401);
  const headers = { authorization: "Bearer sk-or-v1-molva-demo-0000000000000000" };
  const key = JSON.parse(await (await fetch(`${url}/openrouter/api/v1/key`, { headers })).text());
  expect(key.data).toMatchObject({ label: "demo", limit_remaining: null });
});

test("a question appears on the page as it is asked", async () => {
  const seen: TwinEvent[] = [];
  const leave = models.twins.context.bus.subscribe((event) => seen.push(event));
  await models.ask(hello);
  leave();
  expect(seen).toMatchObject([
    { type: "chat", provider: "openrouter", chat: { id: flash } },
    { type: "message", chatId: flash, message: { text: "Чем кормить кота летом?" } },
    { type: "message", chatId: flash, message: { author: { bot: true } } },
  ]);
});

test("questions and answers are chats of the twins' page, and the journal holds neither keys nor files", async () => {
  await models.ask({ model: flash, messages: asking(image) });
  const { chats } = await models.twins.control<{ chats: object[] }>("GET", "/chats");
  expect(chats).toMatchObject([{ provider: "openrouter", id: flash, writable: false, count: 2 }]);
  const path = `/chats/openrouter/${encodeURIComponent(flash)}/messages`;
  const { messages } = await models.twins.control<{ messages: object[] }>("GET", path);
  expect(messages).toMatchObject([
    { text: "[снимок 640×480 (PNG)]\nЧто с ним?" },
    { author: { bot: true }, text: expect.stringContaining("Вижу снимок") },
  ]);
  const { entries } = await models.twins.control<{ entries: object[] }>(
    "GET",
    "/journal?provider=openrouter",
  );
  expect(entries).toMatchObject([{ method: "POST /chat/completions", chat: flash, status: 200 }]);
  expect(JSON.stringify(entries)).not.toContain("sk-or-v1");
});

function wav(seconds: number): Buffer {
  const rate = 8_000;
  const bytes = Buffer.alloc(44 + seconds * rate);
  bytes.write("RIFF", 0, "latin1");
  bytes.write("WAVEfmt ", 8, "latin1");
  bytes.writeUInt32LE(rate, 28);
  return bytes;
}

describe("the next answer", () => {
  const asksFor = (fields: readonly string[]) => ({
    ...hello,
    response_format: {
      type: "json_schema",
      json_schema: {
        name: "answer",
        strict: true,
        schema: {
          type: "object",
          properties: Object.fromEntries(fields.map((field) => [field, { type: "string" }])),
          required: fields,
          additionalProperties: false,
        },
      },
    },
  });

  test("to a task can be given from outside, once or as often as said, and nothing else changes", async () => {
    const give = (given: object) => models.twins.control("POST", "/openrouter/answers", given);
    await give({ task: "keywords_cluster", answer: { clusters: "мои" } });
    await give({ task: "text", answer: "Сказано заранее", times: 2 });
    const other = (await models.ask(asksFor(["reviews"]))).body.choices[0].message.content;
    expect(JSON.parse(other)).not.toEqual({ clusters: "мои" });
    const asked = async () => (await models.ask(asksFor(["clusters"]))).body.choices[0].message.content;
    expect(JSON.parse(await asked())).toEqual({ clusters: "мои" });
    expect(JSON.parse(await asked())).not.toEqual({ clusters: "мои" });
    for (const expected of [true, true, false])
      expect((await models.ask(hello)).body.choices[0].message.content === "Сказано заранее").toBe(expected);
  });

  test("to an unknown task is refused with the tasks that are known", async () => {
    await expect(
      models.twins.control("POST", "/openrouter/answers", { task: "poem", answer: "…" }),
    ).rejects.toThrow(/must be one of article, .*description/);
  });
});

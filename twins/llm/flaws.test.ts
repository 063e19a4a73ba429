import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { flash, hello, startModels, type TestModels } from "./testing.ts";

let models: TestModels;
beforeAll(async () => {
  models = await startModels();
});
afterEach(() => models.twins.control("POST", "/reset"));
afterAll(() => models.close());

const schema = {
  type: "object",
  properties: { ideas: { type: "array", items: { type: "string" }, minItems: 3 } },
  required: ["ideas"],
  additionalProperties: false,
};
const structured = {
  ...hello,
  response_format: { type: "json_schema", json_schema: { name: "ideas", strict: true, schema } },
};
const contentOf = async (body: object) => (await models.ask(body)).body.choices[0].message.content;

describe("a scripted fault", () => {
  // covers llm: A twin for OpenRouter and OpenAI
  test.each([
    [429, 7, "rate_limit_exceeded"],
    [402, undefined, "payment_required"],
    [500, undefined, "server"],
    [503, 2, "provider_overloaded"],
    [403, undefined, "permission_denied"],
  ])("with the status %i is worded as the provider words it", async (status, retryAfter, type) => {
    await models.fault({ kind: "status", status, ...(retryAfter && { retryAfter }) });
    const answer = await models.ask(hello);
    expect(answer).toMatchObject({
      status,
      body: { error: { code: status, metadata: { error_type: type } } },
    });
    expect(answer.headers.get("retry-after")).toBe(retryAfter === undefined ? null : String(retryAfter));
    expect((await models.ask(hello)).status).toBe(200);
  });

  test("applies to one model only", async () => {
    await models.fault({ kind: "status", status: 502 }, { chat: "openai/gpt-4o-mini" });
    expect((await models.ask(hello)).status).toBe(200);
    expect((await models.ask({ ...hello, model: "openai/gpt-4o-mini" })).status).toBe(502);
  });

  // covers llm: A twin for OpenRouter and OpenAI
  test("truncates JSON in the middle", async () => {
    await models.fault({ kind: "answer", flaw: "truncated" });
    const { choices } = (await models.ask(structured)).body;
    expect(choices[0].finish_reason).toBe("length");
    expect(() => JSON.parse(choices[0].message.content)).toThrow();
  });

  // covers llm: A twin for OpenRouter and OpenAI
  test("makes the model refuse, say nothing, or give no choice", async () => {
    await models.fault({ kind: "answer", flaw: "refusal" });
    expect((await models.ask(hello)).body.choices[0].message).toMatchObject({
      content: null,
      refusal: expect.stringContaining("Извините"),
    });
    await models.fault({ kind: "answer", flaw: "empty" });
    expect(await contentOf(hello)).toBe("");
    await models.fault({ kind: "answer", flaw: "no_choice" });
    expect((await models.ask(hello)).body.choices).toEqual([]);
  });

  test("answers in another shape, or among prose", async () => {
    await models.fault({ kind: "answer", flaw: "invalid" });
    expect(JSON.parse(await contentOf(structured))).toEqual({ unexpected: true });
    await models.fault({ kind: "answer", flaw: "fenced" });
    expect(await contentOf(structured)).toMatch(/^Вот ответ:\n```json\n\{/);
  });

  test("reports a failure with status 200", async () => {
    await models.fault({ kind: "answer", flaw: "error" });
    expect(await models.ask(hello)).toMatchObject({ status: 200, body: { error: { code: 502 } } });
  });

  test("cuts the connection in the middle of the answer", async () => {
    await models.fault({ kind: "answer", flaw: "cut" });
    await expect(models.ask(hello)).rejects.toThrow();
    await models.fault({ kind: "answer", flaw: "cut" });
    await expect(models.stream(hello)).rejects.toThrow();
  });

  test("is refused when nobody knows the flaw", async () => {
    await expect(models.fault({ kind: "answer", flaw: "bored" })).rejects.toThrow("400");
  });
});

describe("a stream", () => {
  const eventsOf = (text: string) =>
    text.split("\n\n").flatMap((block) => (block.startsWith("data: ") ? [block.slice(6)] : []));

  // covers llm: A twin for OpenRouter and OpenAI
  test("has comments, the words one after another, the usage and an end", async () => {
    const text = await models.stream(hello);
    expect(text).toMatch(/^: OPENROUTER PROCESSING/);
    const events = eventsOf(text);
    expect(events.pop()).toBe("[DONE]");
    const chunks = events.map((event) => JSON.parse(event));
    expect(chunks.at(-1)).toMatchObject({ model: flash, choices: [], usage: { cost: expect.any(Number) } });
    const words = chunks.flatMap(({ choices }) =>
      choices.map((choice: { delta: { content: string } }) => choice.delta.content),
    );
    expect(words.join("")).toBe(await contentOf(hello));
    expect(chunks.at(-2).choices[0].finish_reason).toBe("stop");
  });

  test("of OpenAI tells its usage only when asked", async () => {
    const plain = { ...hello, model: "gpt-4o-mini" };
    expect(await models.stream(plain, "openai")).not.toContain('"usage"');
    expect(await models.stream({ ...plain, stream_options: { include_usage: true } }, "openai")).toContain(
      '"usage"',
    );
  });

  test("fails in its middle with an error among its events", async () => {
    await models.fault({ kind: "answer", flaw: "error" });
    const last = JSON.parse(eventsOf(await models.stream(hello)).at(-1) ?? "");
    expect(last).toMatchObject({ error: { code: 502 }, choices: [{ finish_reason: "error" }] });
  });

  test("of a refusal or of nothing has no words", async () => {
    await models.fault({ kind: "answer", flaw: "refusal" });
    expect(await models.stream(hello)).toContain('"refusal":"Извините');
    await models.fault({ kind: "answer", flaw: "empty" });
    expect(eventsOf(await models.stream(hello)).map((event) => event.slice(0, 6))).toHaveLength(3);
  });
});

// covers llm: A twin for OpenRouter and OpenAI
test("a tool that must be called is called with arguments of its schema", async () => {
  const tool = { type: "function", function: { name: "save", parameters: schema } };
  for (const tool_choice of ["required", { type: "function", function: { name: "save" } }]) {
    const { choices } = (await models.ask({ ...hello, tools: [tool], tool_choice })).body;
    expect(choices[0]).toMatchObject({ finish_reason: "tool_calls", message: { content: null } });
    const [call] = choices[0].message.tool_calls;
    expect(call.function.name).toBe("save");
    expect(JSON.parse(call.function.arguments).ideas.length).toBeGreaterThanOrEqual(3);
  }
  const unknown = await models.ask({
    ...hello,
    tools: [tool],
    tool_choice: { type: "function", function: { name: "x" } },
  });
  expect(unknown.status).toBe(400);
  expect(await contentOf({ ...hello, tools: [tool], tool_choice: "auto" })).toContain("кот");
});

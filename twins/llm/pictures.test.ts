import { createHash } from "node:crypto";
import sharp from "sharp";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { openRouter } from "./brand.ts";
import { startModels, type TestModels } from "./testing.ts";

let models: TestModels;
beforeAll(async () => {
  models = await startModels();
});
afterEach(() => models.twins.control("POST", "/reset"));
afterAll(() => models.close());

const model = "google/gemini-2.5-flash-image";
const chat = (text: string, image_config?: object) => ({
  model,
  modalities: ["image", "text"],
  messages: [{ role: "user", content: text }],
  ...(image_config && { image_config }),
});
const inChat = (body: { choices: { message: { images: { image_url: { url: string } }[] } }[] }) =>
  Buffer.from(body.choices[0]?.message.images[0]?.image_url.url.split(",")[1] ?? "", "base64");
const images = async (body: object) => {
  const response = await fetch(`${models.twins.url}${openRouter.base}/images`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${openRouter.demoKey}` },
    body: JSON.stringify({ model, ...body }),
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
};
const sum = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

describe("a picture", () => {
  // covers llm: A twin that draws
  test.each([
    ["16:9", "1K", 1024, 576],
    ["3:4", "2K", 1536, 2048],
    ["1:1", "4K", 4096, 4096],
  ])(
    "of %s in %s is a file of that size, and costs its price",
    async (aspect_ratio, image_size, width, height) => {
      const { body } = await models.ask(chat("кухня у окна", { aspect_ratio, image_size }));
      const bytes = inChat(body);
      expect(await sharp(bytes).metadata()).toMatchObject({ format: "png", width, height });
      const { data } = await sharp(bytes).resize(32).raw().toBuffer({ resolveWithObject: true });
      expect(new Set(data).size).toBeGreaterThan(10);
      expect(body.usage.cost).toBeCloseTo(0.039, 3);
    },
  );

  // covers llm: A twin that draws
  test("is the same for the same words and another for others, through either API", async () => {
    const [one, same, other] = [
      inChat((await models.ask(chat("кухня"))).body),
      inChat((await models.ask(chat("кухня"))).body),
      inChat((await models.ask(chat("спальня"))).body),
    ];
    expect(sum(same)).toBe(sum(one));
    expect(sum(other)).not.toBe(sum(one));
    const { body } = await images({ prompt: "кухня", n: 3, aspect_ratio: "16:9", resolution: "1K" });
    const files: Buffer[] = body.data.map(({ b64_json }: { b64_json: string }) =>
      Buffer.from(b64_json, "base64"),
    );
    expect(new Set(files.map(sum)).size).toBe(3);
    expect(await sharp(files[0]).metadata()).toMatchObject({ width: 1024, height: 576 });
    expect(body.usage.cost).toBeCloseTo(3 * 0.039, 3);
  });

  // covers llm: A twin that draws
  test("can be missing, broken or always the same", async () => {
    await models.fault({ kind: "answer", flaw: "no_image" });
    const { body } = await models.ask(chat("кухня"));
    expect(body.choices[0].message).not.toHaveProperty("images");
    await models.fault({ kind: "answer", flaw: "bad_image" });
    await expect(
      sharp(inChat((await models.ask(chat("кухня"))).body))
        .raw()
        .toBuffer(),
    ).rejects.toThrow();
    await models.fault({ kind: "answer", flaw: "same_image" }, { times: 2 });
    const twice = [
      inChat((await models.ask(chat("кухня"))).body),
      inChat((await models.ask(chat("дом"))).body),
    ];
    expect(new Set(twice.map(sum)).size).toBe(1);
  });

  test("is refused in the provider's words", async () => {
    expect(await models.ask({ ...chat("кухня"), model: "deepseek/deepseek-v3.2" })).toMatchObject({
      status: 404,
    });
    expect(await models.ask(chat("кухня", { aspect_ratio: "7:1" }))).toMatchObject({ status: 400 });
    expect(await images({ prompt: "кухня", n: 11 })).toMatchObject({ status: 400 });
    await models.fault({ kind: "answer", flaw: "refusal" });
    expect(await images({ prompt: "кухня" })).toMatchObject({
      status: 400,
      body: { error: { metadata: { error_type: "content_policy_violation" } } },
    });
  });

  test("stands in the journal by its size only", async () => {
    await models.ask(chat("кухня"));
    await images({ prompt: "кухня" });
    expect(JSON.stringify(await models.twins.control("GET", "/journal")).length).toBeLessThan(10_000);
  });
});

describe("healing", () => {
  const schema = {
    type: "object",
    properties: { answer: { type: "string" } },
    required: ["answer"],
    additionalProperties: false,
  };
  const shaped = (more: object = {}) => ({
    model: "openai/gpt-4o-mini",
    messages: [{ role: "user", content: "Что нового?" }],
    response_format: { type: "json_schema", json_schema: { name: "a", strict: true, schema } },
    ...more,
  });
  const said = async (flaw: string, more: object = {}): Promise<string> => {
    await models.fault({ kind: "answer", flaw });
    return (await models.ask(shaped(more))).body.choices[0].message.content;
  };
  const isJson = (text: string) => {
    try {
      return typeof JSON.parse(text) === "object";
    } catch {
      return false;
    }
  };

  // covers llm: A twin that draws
  test("repairs broken and fenced JSON, not what was cut off, and only when it is asked for", async () => {
    const plugins = [{ id: "response-healing" }];
    expect(isJson(await said("broken"))).toBe(false);
    expect(isJson(await said("broken", { plugins }))).toBe(true);
    expect(isJson(await said("fenced", { plugins }))).toBe(true);
    expect(isJson(await said("truncated", { plugins }))).toBe(false);
    expect(isJson(await said("broken", { plugins: [{ id: "response-healing", enabled: false }] }))).toBe(
      false,
    );
  });
});

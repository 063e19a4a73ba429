import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { aChannel, aWorkspace, enqueue } from "../testing/builders.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database?.drop());

const redactText = async (text: string): Promise<string> => {
  const [row] = await database.sql`select workspaces.redact_text(${text}) as redacted`;
  return row?.redacted;
};
const redact = async (value: unknown): Promise<unknown> => {
  const [row] = await database.sql`
    select workspaces.redact(${database.sql.json(JSON.parse(JSON.stringify(value)))}) as redacted`;
  return row?.redacted;
};

const botToken = "7123456789:AAF-x1Yb2Zc3Wd4Ve5Uf6Tg7Sh8Ri9Qj0Pk";
const apiToken = "mlv_4fJ9sKd83hQzPq0vTn27LmXc61RbYw5EgAu8iZoVt3S";

describe("masks secrets and personal data in text", () => {
  it.each([
    ["write to ivan.petrov@example.com today", "write to [email] today"],
    ["почта: иван@почта.рф", "почта: [email]"],
    ["call +7 999 123-45-67", "call [phone]"],
    ["call +7(999)123-45-67", "call [phone]"],
    ["+79991234567", "[phone]"],
    ["тел. 8 (495) 123-45-67.", "тел. [phone]."],
    ["тел.89991234567", "тел.[phone]"],
    ["8-800-555-35-35", "[phone]"],
    ["звоните (812) 555-12-34 утром", "звоните [phone] утром"],
    ["or 495 123-45-67", "or [phone]"],
    ["+44 20 7946 0958 and +1 (415) 555-2671", "[phone] and [phone]"],
    [
      `https://api.telegram.org/bot${botToken}/sendMessage`,
      "https://api.telegram.org/bot[secret]/sendMessage",
    ],
    [`the token ${apiToken} was refused`, "the token [secret] was refused"],
    ["Authorization: Bearer abc.def-123", "Authorization: [secret]"],
    ["authorization: Basic dXNlcjpwYXNz", "authorization: [secret]"],
    ["AUTHORIZATION: molva-demo-max-token", "AUTHORIZATION: [secret]"],
    ["sent with bearer f9LHodD0cOKqwe", "sent with bearer [secret]"],
    ["https://vk.com/api?access_token=vk1abc&v=5.199", "https://vk.com/api?access_token=[secret]&v=5.199"],
    ["password=hunter2", "password=[secret]"],
    ['{"client_secret":"s3cr3t-value"}', '{"client_secret":"[secret]"}'],
    ["https://user:pass@example.com/feed", "https://[secret]@example.com/feed"],
    ["postgres://molva:pa55@db.local/molva", "postgres://[secret]@db.local/molva"],
    ["eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmN", "[secret]"],
    ["key sk-proj-a1B2c3D4e5F6g7H8i9", "key [secret]"],
    ["card 4111 1111 1111 1111 was", "card [card] was"],
    ["карта 2201382000000013", "карта [card]"],
    ["gAAAAABnN5kQx1f2J3h4K5l6M7n8P9q0R1s2T3u4V5w6X7y8Z9a0==", "[secret]"],
    ["sum 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", "sum [secret]"],
  ])("%s", async (text, redacted) => {
    expect(await redactText(text)).toBe(redacted);
    expect(await redactText(redacted)).toBe(redacted);
  });
});

describe("leaves alone what operators work with", () => {
  it.each([
    "Too Many Requests: retry after 5",
    "Bad Request: message is too long, 4097 of 4096 UTF-16 units",
    "chat -1001234567890 not found",
    "chat -70999888777666",
    "message 123456789 in chat 987654321",
    "mid.ffffffffb2cb49d4019aac0f4e4a2f6b",
    "Order 10002345678, invoice №84951234567, order # 79991234567",
    "Заказ 20261115-0042 на 12 500,00 ₽, скидка 15 %",
    "прибыль +10 000 000 000 ₽",
    "2026-11-15T12:00:00+03:00 and 15.11.2026 12:00",
    "1763208000, 1763208000123 and 1763208000123456",
    "shipment 4111 1111 1111 1112",
    "0198c0de-0000-7000-8000-000000000001",
    "trace 4bf92f3577b34da6a3ce929d0e0e4736",
    "https://example.com/2026/11/Some-Long-Article-Title-About-2026-Elections?utm_source=tg&page=2",
    "https://shop.example.ru/item/89991234567",
    "https://cdn.example.com/a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6/photo@2x.png",
    "https://medium.com/@user.name/post and @molva_channel",
    "the token is invalid; password: required; tokens: 500",
    "Unauthorized",
    "the bearer of good news, the authorization failed",
    "версия 1.2.3, 192.168.0.1, 50 MiB, 0.89991234567",
    "the file IMG_20261115_120000.jpg and file name a-very-long-lower-case-slug-of-a-page-without-any-digit",
    "",
  ])("%s", async (text) => {
    expect(await redactText(text)).toBe(text);
  });
});

// covers autoposting: Data privacy / PII; Point 36
it("masks by the name of a key what a value alone does not betray", async () => {
  const error = {
    code: "telegram_bad_request",
    message: "Bad Request",
    raw: {
      token: "short",
      bot: { api_key: 12345, apiKey: "x", "X-Telegram-Bot-Api-Secret-Token": "y" },
      password: { nested: true },
      headers: { authorization: "z", cookie: "a=b" },
      phone_number: 79991234567,
      user_email: "someone",
    },
  };
  expect(await redact(error)).toEqual({
    code: "telegram_bad_request",
    message: "Bad Request",
    raw: {
      token: "[secret]",
      bot: { api_key: "[secret]", apiKey: "[secret]", "X-Telegram-Bot-Api-Secret-Token": "[secret]" },
      password: "[secret]",
      headers: { authorization: "[secret]", cookie: "[secret]" },
      phone_number: "[personal]",
      user_email: "[personal]",
    },
  });
});

it("keeps ids, hashes, numbers, counts and empty values wherever they are", async () => {
  const meta = {
    provider_message_id: "89991234567",
    chat_id: "79991234567",
    target_id: -1001234567890,
    content_hash: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    file_id: "AgACAgIAAxkBAAIBa2Z1c3RvbWZpbGVpZDEyMzQ1Njc4OTA",
    idempotency_key: "0198c0de-0000-7000-8000-000000000001",
    provider_message_ids: ["89991234567", "mid.ffffffffb2cb49d4019aac0f4e4a2f6b"],
    tokens: 512,
    secret_ref: "vault:0198c0de-0000-7000-8000-000000000001",
    retry_after_ms: 5000,
    token: null,
    password: "",
    has_secret: true,
  };
  expect(await redact(meta)).toEqual(meta);
});

it("masks e-mail even inside an id", async () => {
  expect(await redact({ source_ref: "form ivan@example.com" })).toEqual({ source_ref: "form [email]" });
});

/** Fragments that the rules apply to, joined at random. */
const pieces = fc.constantFrom(
  "ivan@example.com",
  "+7 999 123-45-67",
  "8 (495) 123-45-67",
  "89991234567",
  botToken,
  apiToken,
  "Bearer ",
  "token=",
  "password: ",
  "authorization:",
  "4111 1111 1111 1111",
  "-1001234567890",
  "https://",
  "@",
  ":",
  "=",
  " ",
  "/",
  "\u00a0",
  "№",
  "+1",
  "a1",
  "B2c3D4e5F6g7H8i9J0",
  "0198c0de-0000-7000-8000-000000000001",
  "eyJ",
  ".",
  "[secret]",
  "ё",
  '"',
  "mid.",
  "123456",
  "x",
);
const texts = fc
  .array(fc.oneof(pieces, fc.string({ maxLength: 12 })), { maxLength: 12 })
  .map((parts) => parts.join("").replaceAll("\u0000", ""));

it("lets nothing pass the quick test that the thorough rules would change", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(texts, { minLength: 1, maxLength: 40 }), async (samples) => {
      const rows = await database.sql`
        select workspaces.redact_text(sample) as quick, workspaces.redact_text_thoroughly(sample) as thorough
        from unnest(${samples}::text[]) as sample`;
      for (const { quick, thorough } of rows) expect(quick).toBe(thorough);
    }),
    { numRuns: 100 },
  );
});

it("judges a JSON value alike on the quick way and on the thorough one", async () => {
  const error = fc.record(
    {
      message: texts,
      code: fc.constantFrom("rate_limited", "telegram_bad_request"),
      scope: fc.constant("delivery"),
      retry_after_ms: fc.nat(),
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(error, { minLength: 1, maxLength: 20 }), async (samples) => {
      const rows = await database.sql`
        select workspaces.redact(sample) = workspaces.redact_json_thoroughly(sample) as alike
        from jsonb_array_elements(${database.sql.json(samples)}) as sample`;
      expect(rows.every(({ alike }) => alike)).toBe(true);
    }),
    { numRuns: 50 },
  );
});

it("costs a clean error no function call: the quick test becomes part of the query", async () => {
  const plan =
    await database.sql`explain (verbose, costs off) select workspaces.redact(error) from workspaces.events_rest`;
  expect(JSON.stringify(plan)).not.toContain("workspaces.redact(");
  expect(JSON.stringify(plan)).not.toContain("redact_suspects(");
});

// covers autoposting: Table: events; Data privacy / PII; Point 36
it("keeps secrets and personal data of a failed attempt out of the audit trail and out of the delivery", async () => {
  const { sql } = database;
  const workspace = await aWorkspace(sql);
  await aChannel(sql, workspace);
  const now = new Date();
  await enqueue(sql, workspace, "post", { now });
  await sql`select from delivery.claim_deliveries(${workspace}, 'run', 10, ${now})`;
  const [started] = await sql`
    select delivery_id, claim_token from delivery.start_sending(${workspace}, 'run', 10, ${now})`;
  const message = `bot${botToken} of ivan@example.com, +7 999 123-45-67, chat -1001234567890`;
  const outcome = {
    delivery_id: started?.delivery_id,
    token: started?.claim_token,
    kind: "failed",
    error: { category: "PERMANENT", scope: "delivery", code: "telegram_bad_request", message },
  };
  await sql`select from delivery.settle_deliveries(${workspace}, ${sql.json([outcome])}, ${now})`;
  const stored = await sql`
    select error ->> 'message' as message from workspaces.events where workspace_id = ${workspace} and error is not null
    union all
    select last_error ->> 'message' from delivery.deliveries where workspace_id = ${workspace}`;
  expect(stored.length).toBeGreaterThanOrEqual(2);
  for (const row of stored) expect(row.message).toBe("bot[secret] of [email], [phone], chat -1001234567890");
});

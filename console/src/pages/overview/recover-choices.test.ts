import { expect, test } from "vitest";
import { choicesOf, scopeOf, sinceOf } from "./recover-choices.ts";

const channel = (channel_id: string, auth_ref: string, title: string | null = null) => ({
  channel_id,
  title,
  platform: "telegram",
  target: `@${channel_id}`,
  auth_ref,
  deliveries: 1,
});

test("each credential is offered once, before the channels", () => {
  const choices = choicesOf([channel("a", "news/bot", "Новости"), channel("b", "news/bot")]);
  expect(choices.map(({ value, name }) => [value, name])).toEqual([
    ["credential telegram/news/bot", "telegram/news/bot"],
    ["channel a", "Новости"],
    ["channel b", "@b"],
  ]);
});

test.each([
  ["", {}],
  ["channel 019a", { channel_id: "019a" }],
  ["credential telegram/news/bot", { credential: { platform: "telegram", auth_ref: "news/bot" } }],
])("the choice «%s» asks for %j", (value, asked) => {
  expect(scopeOf(value)).toEqual(asked);
});

test("a period counts back from when the dialog was opened", () => {
  expect(sinceOf(Date.UTC(2026, 10, 16), 24)).toBe("2026-11-15T00:00:00.000Z");
});

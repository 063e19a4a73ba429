import { describe, it } from "vitest";
import { attachmentOf } from "../../../src/advisor/ask/attachment.ts";
import { deniesSight, mentionsPhoto } from "../../../src/advisor/subject/photos.ts";
import { compileFor } from "../../../src/delivery/ingest/compile-for-channel.ts";
import { apiConfig, feedConfig } from "../../../src/delivery/pull/config.ts";
import { itemPost } from "../../../src/delivery/pull/feed/item-post.ts";
import { parseFeed } from "../../../src/delivery/pull/feed/parse-feed.ts";
import { ExpressionError } from "../../../src/delivery/pull/mapped/expression.ts";
import { createMapper } from "../../../src/delivery/pull/mapped/mapped-item.ts";
import { renderTemplate } from "../../../src/delivery/templates/render-template.ts";
import { readTelegramUpdate } from "../../../src/dialogs/telegram/update.ts";
import { alarmIn } from "../../../src/firstaid/index.ts";
import { jsonIn } from "../../../src/llm/calls/judge-answer.ts";
import { createPlatforms, type PlatformName, platformNames } from "../../../src/platforms/index.ts";
import { accept } from "../../../src/shopbot/engine/accept-answer.ts";
import { expectLinearWork } from "../../support/work.ts";
import { repetitions } from "./repetitions.ts";

const nowhere = "http://127.0.0.1:9";
const platforms = createPlatforms({ TELEGRAM_API_ROOT: nowhere, MAX_API_ROOT: nowhere });

/** A payload to the requests that would be sent, as ingest and render make them, for a channel that takes whatever it can. */
function compile(
  payload: Record<string, unknown>,
  names: readonly PlatformName[] = platformNames,
  template?: string,
): void {
  for (const platform of names)
    compileFor(
      payload,
      {
        ...{ platform, target_id: "-1", send_mode: "mixed" },
        settings: { too_long: "split", broken_markup: "plain" },
        ...(template && {
          template_ref: "t",
          template: { id: "t", version: 1, timezone: "UTC", body: template, defaults: {} },
        }),
      },
      platforms,
    );
}

/** What a platform does with a text after it is read is tried with HTML, for all of them. */
const alike = ["telegram", "wordpress"] as const;

const feed = feedConfig.parse({ url: "https://feed.example/rss", fields: ["title", "summary", "content"] });
const mapper = createMapper(
  apiConfig.parse({
    ...{ url: "https://api.example/items", parse_mode: "HTML", link: "append" },
    fields: { id: "/id", text: "<b>{{ title }}</b> {{ body | raw }}", link: "/link", tags: "/tags" },
  }),
  "api",
);

const readers: Record<string, (text: string) => unknown> = {
  "a post as HTML": (text) => compile({ text, parse_mode: "HTML" }),
  "a post as Markdown": (text) => compile({ text, parse_mode: "Markdown" }, alike),
  "a post as Telegram's Markdown": (text) =>
    compile({ text, parse_mode: "Markdown", dialect: "telegram" }, ["telegram"]),
  "a post as Telegram's old Markdown": (text) =>
    compile({ text, parse_mode: "Markdown", dialect: "telegram_legacy" }, ["telegram"]),
  "a post as MAX's Markdown": (text) => compile({ text, parse_mode: "Markdown", dialect: "max" }, ["max"]),
  "a post without markup": (text) => compile({ text }, alike),
  "a post that a template writes": (text) =>
    compile({ text, title: text, parse_mode: "HTML" }, ["max"], "<b>{{ title }}</b>\n{{ text | raw }}"),
  "a template": (body) => renderTemplate({ body, defaults: {} }, { text: "a" }, "HTML"),
  "a feed": (text) => parseFeed(text, "https://feed.example/"),
  "an item of a feed": (text) =>
    itemPost(
      {
        ...{ ref: "1", title: text, link: "https://a.ru/", summary: text, content: `${text}<p>` },
        categories: [text],
        media: [],
      },
      feed,
      "feed",
    ),
  "an item of an API": (text) => {
    try {
      return mapper.post({ id: 1, title: text, body: text, link: text, tags: text });
    } catch (error) {
      // A text that grows beyond the templates' limits is refused, which is an answer too.
      if (error instanceof ExpressionError) return error;
      throw error;
    }
  },
  "an update of a conversing bot": (text) =>
    [text, `/${text}`, `/a ${text}`].map((said) =>
      readTelegramUpdate({
        update_id: 1,
        message: { message_id: 1, chat: { id: 7, type: "private" }, from: { id: 7 }, text: said },
      }),
    ),
  "an answer to the shop bot": (text) =>
    (["text", "order_number", "phone", "email"] as const).map((kind) => accept(kind, text)),
  "a question to the advisor": (text) => [alarmIn(text), mentionsPhoto(text), deniesSight(text)],
  "a photo within a question": (data) => {
    try {
      attachmentOf([{ type: "photo", source: "inline", data }]);
    } catch {
      // Refused, as most of them are.
    }
  },
  "a model's answer": (text) => [jsonIn(text), jsonIn(`{${text}}`)],
};

describe("the work of reading", () => {
  it.each(Object.entries(readers))(
    "%s grows with its length and no faster",
    async (_, read) => {
      for (const { piece, text } of repetitions)
        await expectLinearWork(text, read).catch((error: unknown) => {
          throw new Error(`${JSON.stringify(piece)} many times over`, { cause: error });
        });
    },
    300_000,
  );
});

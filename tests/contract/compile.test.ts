import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createLossLog, type Document, markedTextOf } from "../../src/content/index.ts";
import {
  type ChannelProfile,
  type Compiled,
  type CompiledRequest,
  createPlatforms,
  type Platform,
  readCompiled,
  storedForm,
} from "../../src/platforms/index.ts";
import { definitions } from "./platforms.ts";
import { anyPost, aPost, essence, essenceOf, photos, withNeeds } from "./posts.ts";
import { carries, preparationOf } from "./preparation.ts";

const { all, platformOf } = createPlatforms({}, {}, definitions);
const prepared = await Promise.all(
  all.map(async (platform) => ({
    platform,
    name: platform.name,
    preparation: await preparationOf(platform.name),
  })),
);

function channelOn(platform: Platform, change: Partial<ChannelProfile> = {}): ChannelProfile {
  return { platform: platform.name, targetId: "-1001", sendMode: "mixed", settings: {}, ...change };
}

function compiledOn(platform: Platform, post: Parameters<Platform["compile"]>[0]): Compiled {
  const result = platform.compile(post, channelOn(platform));
  if (!result.ok) throw new Error(result.error.message);
  return result.compiled;
}

describe.each(prepared)("$name", ({ platform, preparation }) => {
  const { limits } = platform;

  test("compiles to requests within every limit, or refuses with a reason", () => {
    fc.assert(
      fc.property(anyPost, (post) => {
        const result = platform.compile(post, channelOn(platform));
        if (!result.ok) {
          expect(result.error).toMatchObject({
            category: "PERMANENT",
            scope: "delivery",
            code: "validation_failed",
            message: expect.stringMatching(/\S/),
          });
          return;
        }
        for (const request of result.compiled.requests) expectWithinLimits(request, platform);
      }),
      { numRuns: 150 },
    );
  });

  // covers autoposting: Adapter contract
  test("compiles the same post to the same requests, which survive storage", () => {
    fc.assert(
      fc.property(anyPost, (post) => {
        const first = platform.compile(post, channelOn(platform));
        expect(platform.compile(post, channelOn(platform))).toEqual(first);
        if (!first.ok) return;
        const { compiled } = first;
        const stored = JSON.parse(JSON.stringify(storedForm(compiled)));
        expect(readCompiled(stored, compiled.plainText)).toEqual(compiled);
        // The format of earlier releases.
        expect(readCompiled(JSON.parse(JSON.stringify(compiled)), compiled.plainText)).toEqual(compiled);
      }),
      { numRuns: 100 },
    );
  });

  // Where a word cannot be a link, its address follows it.
  const shownOf = (document: Document) =>
    carries(preparation, "marks")
      ? essenceOf(document)
      : essence(markedTextOf(document, { losses: createLossLog(), linkSchemes: new Set() }).text);

  test("keeps every letter of the text in its order", () => {
    fc.assert(
      fc.property(anyPost, (post) => {
        const format = post.format === "plain" ? "html" : post.format;
        const plain = {
          ...post,
          format,
          media: [],
          buttons: [],
          document: withoutForeignLinks(post.document),
        };
        const result = platform.compile(plain, channelOn(platform));
        if (result.ok) expect(essence(result.compiled.plainText)).toBe(shownOf(plain.document));
      }),
      { numRuns: 150 },
    );
  });

  // covers autoposting: Preflight validation
  test("takes a text of exactly the limit and refuses one unit more, naming both", () => {
    const ofLength = (length: number) => withNeeds(aPost({ text: "я".repeat(length) }), limits);
    expect(compiledOn(platform, ofLength(limits.text)).requests).toHaveLength(1);
    expect(platform.compile(ofLength(limits.text + 1), channelOn(platform))).toMatchObject({
      ok: false,
      error: {
        code: "validation_failed",
        message: expect.stringMatching(new RegExp(`${limits.text + 1}.*${limits.text}`)),
        raw: { length: limits.text + 1, limit: limits.text },
      },
    });
  });

  test("counts an emoji as the two units it is", () => {
    const text = "😀".repeat(limits.text / 2);
    const taken = (said: string) =>
      platform.compile(withNeeds(aPost({ text: said }), limits), channelOn(platform)).ok;
    expect(taken(text)).toBe(true);
    expect(taken(`${text}.`)).toBe(false);
  });

  // covers autoposting: Preflight validation
  test("refuses a post of nothing, and media or their lack where the channel forbids it", () => {
    const empty = platform.compile(aPost({ text: " \n " }), channelOn(platform));
    const media = platform.compile(aPost({ media: photos(1) }), channelOn(platform, { sendMode: "text" }));
    const text = platform.compile(aPost({ text: "а" }), channelOn(platform, { sendMode: "media" }));
    for (const result of [empty, media, text]) {
      expect(result).toMatchObject({ ok: false, error: { code: "validation_failed" } });
    }
  });

  test.runIf(carries(preparation, "silence"))(
    "lets the channel decide what the post leaves open, and the post decide what it says",
    () => {
      const channel = channelOn(platform, { settings: { silent: true, parse_mode: "HTML" } });
      const loud = platform.compile(aPost({ text: "а", options: { silent: false } }), channel);
      const quiet = platform.compile(aPost({ text: "а" }), channel);
      expect(JSON.stringify(quiet)).toMatch(/"disable_notification":true|"notify":false/);
      expect(JSON.stringify(loud)).not.toMatch(/disable_notification|notify/);
    },
  );
});

describe("telegram", () => {
  const telegram = platformOf("telegram");

  test("entities are in order, inside the text, never crossing, and code touches only quotes", () => {
    fc.assert(
      fc.property(anyPost, (post) => {
        const result = telegram.compile({ ...post, media: [] }, channelOn(telegram));
        if (!result.ok) return;
        for (const request of result.compiled.requests) {
          expect(errorsIn(entitiesIn(request), request.text)).toEqual([]);
        }
      }),
      { numRuns: 150 },
    );
  });

  // covers autoposting: sendMedia; Point 42
  test("a caption of 1024 stays with its photo, one unit more goes ahead as a message", () => {
    const short = compiledOn(telegram, aPost({ text: "я".repeat(1024), media: photos(1) }));
    const long = compiledOn(telegram, aPost({ text: "я".repeat(1025), media: photos(1) }));
    expect(short.requests.map(({ method }) => method)).toEqual(["sendPhoto"]);
    expect(long.requests.map(({ method }) => method)).toEqual(["sendMessage", "sendPhoto"]);
    expect(long.requests[1]?.body).toEqual({});
    expect(long.losses.map(({ code }) => code)).toEqual(["text_apart"]);
  });

  // covers autoposting: Preflight validation
  test("an album takes ten and refuses eleven", () => {
    expect(compiledOn(telegram, aPost({ media: photos(10) })).requests[0]?.media).toHaveLength(10);
    expect(telegram.compile(aPost({ media: photos(11) }), channelOn(telegram))).toMatchObject({
      error: { code: "validation_failed", raw: { length: 11, limit: 10 } },
    });
  });

  test("media that cannot share an album are sent in order as several", () => {
    const media = ["photo", "video", "document", "document", "animation", "audio"] as const;
    const compiled = compiledOn(
      telegram,
      aPost({ text: "а", media: media.map((kind) => ({ kind, blobRef: kind })) }),
    );
    expect(compiled.requests.map(({ method, text }) => [method, text])).toEqual([
      ["sendMediaGroup", "а"],
      ["sendMediaGroup", ""],
      ["sendAnimation", ""],
      ["sendAudio", ""],
    ]);
    expect(compiled.losses.map(({ code }) => code)).toEqual(["media_in_parts"]);
  });

  test("buttons of an album are put under its text", () => {
    const buttons = [[{ text: "Да", url: "https://a.ru" }]];
    const compiled = compiledOn(telegram, aPost({ text: "а", media: photos(2), buttons }));
    expect(compiled.requests.map(({ method, body }) => [method, "reply_markup" in body])).toEqual([
      ["sendMessage", true],
      ["sendMediaGroup", false],
    ]);
    expect(telegram.compile(aPost({ media: photos(2), buttons }), channelOn(telegram)).ok).toBe(false);
  });

  test("a reply, a topic, silence, protection and the preview reach the request", () => {
    const options = { replyTo: "5", topicId: "9", silent: true, protected: true, linkPreview: false };
    expect(compiledOn(telegram, aPost({ text: "а", options })).requests[0]?.body).toEqual({
      text: "а",
      link_preview_options: { is_disabled: true },
      disable_notification: true,
      protect_content: true,
      message_thread_id: 9,
      reply_parameters: { message_id: 5, allow_sending_without_reply: true },
    });
  });
});

describe("max", () => {
  const max = platformOf("max");

  // covers autoposting: MAX adapter profile
  test("the format follows how the author wrote, and plain text has none", () => {
    const bodyOf = (text: string, format: "html" | "markdown" | "plain") =>
      compiledOn(max, aPost({ text, format })).requests[0]?.body;
    expect(bodyOf("<b>а</b> & <i>б</i>", "html")).toEqual({
      text: "<b>а</b> &amp; <i>б</i>",
      format: "html",
    });
    expect(bodyOf("**а** & _б_", "markdown")).toEqual({ text: "**а** & _б_", format: "markdown" });
    expect(bodyOf("**а**", "plain")).toEqual({ text: "**а**" });
  });

  test("HTML is balanced and says the text", () => {
    fc.assert(
      fc.property(anyPost, (post) => {
        const result = max.compile({ ...post, media: [], format: "html" }, channelOn(max));
        if (!result.ok) return;
        const [request] = result.compiled.requests;
        expect(unmarked(String(request?.body.text))).toBe(request?.text);
      }),
      { numRuns: 150 },
    );
  });

  test("the markup counts towards the limit", () => {
    const text = `<b>${"я".repeat(3993)}</b>`;
    expect(compiledOn(max, aPost({ text, format: "html" })).requests).toHaveLength(1);
    expect(max.compile(aPost({ text: `${text}!`, format: "html" }), channelOn(max)).ok).toBe(false);
  });

  // covers autoposting: MAX adapter profile
  test("pictures share a message up to twelve, a file is a message of its own", () => {
    const sizes = (media: Parameters<typeof aPost>[0]) =>
      compiledOn(max, aPost(media)).requests.map((each) => each.media.length);
    expect(sizes({ media: photos(12) })).toEqual([12]);
    expect(sizes({ media: photos(13) })).toEqual([12, 1]);
    expect(sizes({ media: photos(12), buttons: [[{ text: "Да", url: "https://a.ru" }]] })).toEqual([11, 1]);
    const files = ["document", "photo", "video", "audio"] as const;
    expect(sizes({ media: files.map((kind) => ({ kind, blobRef: kind })) })).toEqual([1, 2, 1]);
  });

  test("rows of more than three links are broken", () => {
    const row = Array.from({ length: 7 }, (_, index) => ({ text: `${index}`, url: "https://a.ru" }));
    const compiled = compiledOn(max, aPost({ text: "а", buttons: [row] }));
    const [keyboard] = z
      .array(z.object({ payload: z.object({ buttons: z.array(z.array(z.unknown())) }) }))
      .parse(compiled.requests[0]?.body.attachments);
    expect(keyboard?.payload.buttons.map((each) => each.length)).toEqual([3, 3, 1]);
    expect(compiled.losses.map(({ code }) => code)).toEqual(["button_rows"]);
  });

  test("what it cannot do is told", () => {
    const compiled = compiledOn(
      max,
      aPost({
        text: "<tg-spoiler>а</tg-spoiler>",
        format: "html",
        options: { protected: true, topicId: "1" },
      }),
    );
    expect(compiled.losses.map(({ code }) => code)).toEqual(["spoiler_shown", "not_protected", "no_topic"]);
  });
});

const entityShape = z.object({ type: z.string(), offset: z.int(), length: z.int() });
type Entity = z.infer<typeof entityShape>;

function entitiesIn({ body }: CompiledRequest): Entity[] {
  return z.array(entityShape).parse(body.entities ?? body.caption_entities ?? []);
}

/** The errors of entities as a list, because asserting each pair would take minutes. */
function errorsIn(entities: readonly Entity[], text: string): string[] {
  return entities.flatMap((entity, index) => {
    const end = entity.offset + entity.length;
    const slice = text.slice(entity.offset, end);
    const faults: string[] = [];
    if (entity.length <= 0 || entity.offset < 0 || end > text.length) faults.push("outside");
    if (!/^[^\uDC00-\uDFFF]/.test(slice) || !/[^\uD800-\uDBFF]$/.test(slice)) faults.push("half a character");
    for (const later of entities.slice(index + 1)) {
      if (later.offset < entity.offset) faults.push("out of order");
      if (later.offset >= end) continue;
      if (later.offset + later.length > end) faults.push("crossing");
      const touchesCode = /^(?:code|pre)$/.test(entity.type) || /^(?:code|pre)$/.test(later.type);
      if (touchesCode && !/blockquote/.test(entity.type)) faults.push(`${later.type} in ${entity.type}`);
    }
    return faults;
  });
}

function expectWithinLimits(request: CompiledRequest, { limits }: Platform): void {
  expect(request.media.length).toBeLessThanOrEqual(limits.album?.max ?? limits.media);
  const limit = request.media.length > 0 ? (limits.caption ?? limits.text) : limits.text;
  const fields = z
    .object({
      text: z.string().optional(),
      message: z.string().optional(),
      caption: z.string().optional(),
      media: z.array(z.object({ caption: z.string().optional() })).optional(),
    })
    .parse(request.body);
  const texts = [
    fields.text,
    fields.message,
    fields.caption,
    ...(fields.media ?? []).map(({ caption }) => caption),
  ];
  for (const text of texts) expect(text?.length ?? 0).toBeLessThanOrEqual(limit);
}

/** Parses markup strictly: every tag must be closed in order. */
function unmarked(html: string): string {
  const open: string[] = [];
  const text = html.replace(/<(\/?)([a-z0-9]+)[^>]*>/g, (_, slash: string, name: string) => {
    if (slash) expect(open.pop()).toBe(name);
    else open.push(name);
    return "";
  });
  expect(open).toEqual([]);
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&");
}

/** A link whose scheme a platform lacks is spelt out, which adds letters; those are tested by the golden files. */
function withoutForeignLinks<T>(node: T): T {
  return JSON.parse(
    JSON.stringify(node).replaceAll(/"(?:mailto|tg):[^"]*"/g, '"https://example.ru/"'),
    (_, value) => value,
  );
}

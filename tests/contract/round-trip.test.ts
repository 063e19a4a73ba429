import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  createLossLog,
  type Document,
  markedTextOf,
  type Post,
  parseContent,
  plainText,
} from "../../src/content/index.ts";
import { type ChannelProfile, createPlatforms, type Platform } from "../../src/platforms/index.ts";
import { type Harness, openHarness } from "./harness.ts";
import { markdownV2 } from "./markdown-v2.ts";
import { anyDocument, anyPost, essence } from "./posts.ts";

const { platformOf } = createPlatforms({ TELEGRAM_API_ROOT: "http://telegram", MAX_API_ROOT: "http://max" });
const telegram = platformOf("telegram");
const max = platformOf("max");

const channelOn = ({ name }: Platform, settings: ChannelProfile["settings"] = {}): ChannelProfile => ({
  platform: name,
  targetId: "-1001",
  sendMode: "mixed",
  settings,
});

/** Whitespace at a border decides whether a character needs a backslash, and parsing moves it. */
const unescaped = (markup: string) => essence(markup).replaceAll("\\", "");

const written = [
  { platform: telegram, format: "html", settings: { markup: "html" } },
  { platform: max, format: "html", settings: {} },
  { platform: max, format: "markdown", settings: {} },
] as const;

describe.each(written)("what $platform.name gets as $format", ({ platform, format, settings }) => {
  const channel = channelOn(platform, { too_long: "split", ...settings });
  const compiled = (document: Document) => {
    const post: Post = { document, format, media: [], buttons: [], options: {} };
    const result = platform.compile(post, channel);
    return result.ok ? result.compiled.requests : [];
  };

  test("reads back as the text that readers see", () => {
    fc.assert(
      fc.property(anyDocument, (document) => {
        for (const { body, text } of compiled(document)) {
          const parsed = parseContent(String(body.text), format, "max");
          if (!parsed.ok) throw new Error(parsed.error.message);
          expect(essence(plainText(parsed.document))).toBe(essence(text));
        }
      }),
      { numRuns: 100 },
    );
  });

  test("read back and written again is the same", () => {
    fc.assert(
      fc.property(anyDocument, (document) => {
        for (const { body } of compiled(document)) {
          const parsed = parseContent(String(body.text), format, "max");
          if (!parsed.ok) throw new Error(parsed.error.message);
          const [again, ...more] = compiled(parsed.document);
          // A full message may be split again because parsing added a space.
          if (more.length > 0) continue;
          expect(unescaped(String(again?.body.text))).toBe(unescaped(String(body.text)));
        }
      }),
      { numRuns: 100 },
    );
  });
});

test("Telegram shows the same by HTML as by entities", () => {
  fc.assert(
    fc.property(anyPost, (post) => {
      const shownBy = (markup: "html" | "entities"): unknown[] => {
        const channel = channelOn(telegram, { too_long: "split", markup });
        const result = telegram.compile(post, channel);
        if (!result.ok) return [result.error.code];
        return result.compiled.requests.map((request) => telegram.preview(request, channel).shown);
      };
      const html = shownBy("html");
      const entities = shownBy("entities");
      // Telegram limits the bytes of HTML too, so HTML may need more messages.
      fc.pre(html.length <= entities.length);
      expect(html).toEqual(entities);
    }),
    { numRuns: 100 },
  );
});

test("a text in MarkdownV2 reads back as it was written", () => {
  const flow = (document: Document) =>
    markedTextOf(document, { losses: createLossLog(), linkSchemes: new Set(["https:", "tg:"]) });
  fc.assert(
    fc.property(anyDocument, (document) => {
      const { text, marks } = flow(document);
      const source = markdownV2({ text, marks });
      // More lines than these are refused as Markdown.
      fc.pre(source.split("\n").length <= 1_000);
      const parsed = parseContent(source, "markdown", "telegram");
      if (!parsed.ok) throw new Error(parsed.error.message);
      expect(parsed.repairs).toEqual([]);
      expect(essence(flow(parsed.document).text)).toBe(essence(text));
    }),
    { numRuns: 100 },
  );
});

describe.each(written)(
  "the twin of $platform.name, which reads $format by itself,",
  ({ platform, format, settings }) => {
    let harness: Harness;
    beforeAll(async () => {
      harness = await openHarness(platform.name);
    });
    afterAll(() => harness.close());

    // covers autoposting: MAX adapter profile
    test("shows exactly the text that was promised", async () => {
      const channel = { ...harness.channel, settings: { too_long: "split", ...settings } };
      await fc.assert(
        fc.asyncProperty(anyDocument, async (document) => {
          const post: Post = { document, format, media: [], buttons: [], options: {} };
          const result = harness.platform.compile(post, channel);
          if (!result.ok) return;
          await harness.reset();
          expect(await harness.platform.send(result.compiled, harness.context())).toMatchObject({
            kind: "sent",
          });
          const shown = (await harness.messages()).map(({ text }) => text);
          expect(shown).toEqual(result.compiled.requests.map(({ text }) => text));
        }),
        { numRuns: 60, interruptAfterTimeLimit: 20_000 },
      );
    });
  },
);

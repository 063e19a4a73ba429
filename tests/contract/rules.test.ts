import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  type ChannelProfile,
  type CompiledRequest,
  createPlatforms,
  type Platform,
} from "../../src/platforms/index.ts";
import { anyPost, aPost, essence, photos } from "./posts.ts";
import { carries, type Feature, preparationOf } from "./preparation.ts";

const { all, platformOf } = createPlatforms({
  TELEGRAM_API_ROOT: "http://telegram",
  MAX_API_ROOT: "http://max",
});

const preparations = await Promise.all(all.map(({ name }) => preparationOf(name)));
const having = (...features: Feature[]) =>
  all.filter((_, place) => {
    const preparation = preparations[place];
    return preparation && carries(preparation, ...features);
  });

const channelOn = ({ name }: Platform, settings: ChannelProfile["settings"]): ChannelProfile => ({
  platform: name,
  targetId: "-1001",
  sendMode: "mixed",
  settings,
});

function requestsOn(
  platform: Platform,
  post: Parameters<Platform["compile"]>[0],
  settings: ChannelProfile["settings"],
): readonly CompiledRequest[] {
  const result = platform.compile(post, channelOn(platform, settings));
  if (!result.ok) throw new Error(result.error.message);
  return result.compiled.requests;
}

const paragraph = `${"Предложение о погоде. ".repeat(80).trim()}\n\n`;

describe.each(having("split"))("$name, where too long texts are split", (platform) => {
  const settings = { too_long: "split" };
  const lengthOf = ({ body }: CompiledRequest) => {
    const said = z.object({ text: z.string().optional(), message: z.string().optional() }).parse(body);
    return (said.text ?? said.message ?? "").length;
  };
  const asMessenger = having("buttons", "replies").includes(platform);

  test("keeps a text of exactly the limit whole and makes two messages of one unit more", () => {
    const { text } = platform.limits;
    expect(requestsOn(platform, aPost({ text: "я".repeat(text) }), settings)).toHaveLength(1);
    const parts = requestsOn(platform, aPost({ text: "я".repeat(text + 1) }), settings);
    expect(parts.map(lengthOf)).toEqual([text, 1]);
  });

  const parted = "cuts between paragraphs, tells it as a loss, and puts buttons under the last part";
  test.runIf(asMessenger)(parted, () => {
    const buttons = [[{ text: "Да", url: "https://a.ru" }]];
    const post = aPost({ text: paragraph.repeat(5), buttons, options: { replyTo: "5" } });
    const result = platform.compile(post, channelOn(platform, settings));
    if (!result.ok) throw new Error(result.error.message);
    const { requests, losses } = result.compiled;
    expect(requests.map(({ text }) => text)).toEqual([
      `${paragraph}${paragraph}`.trim(),
      `${paragraph}${paragraph}`.trim(),
      paragraph.trim(),
    ]);
    expect(losses.map(({ code }) => code)).toEqual(["text_in_parts"]);
    const bodies = requests.map(({ body }) => JSON.stringify(body));
    expect(bodies.map((body) => body.includes("https://a.ru"))).toEqual([false, false, true]);
    expect(bodies.map((body) => /reply_parameters|"reply"/.test(body))).toEqual([true, false, false]);
  });

  test("sends the text before the media, however many messages it takes", () => {
    const requests = requestsOn(platform, aPost({ text: paragraph.repeat(4), media: photos(2) }), settings);
    expect(requests.map(({ media }) => media.length > 0)).toEqual([
      ...Array(requests.length - 1).fill(false),
      true,
    ]);
    expect(essence(requests.map(({ text }) => text).join(""))).toBe(essence(paragraph.repeat(4)));
  });

  // covers autoposting: Preflight validation
  test("stays within every limit and loses no letter, whatever the post", () => {
    fc.assert(
      fc.property(anyPost, (post) => {
        const short = { ...post, media: [], buttons: [] };
        const whole = platform.compile(short, channelOn(platform, settings));
        if (!whole.ok) {
          expect(whole.error.message).toBe("the post has neither text nor media");
          return;
        }
        for (const request of whole.compiled.requests) {
          expect(lengthOf(request)).toBeLessThanOrEqual(platform.limits.text);
          expect(request.text).not.toBe("");
        }
        const said = whole.compiled.requests.map(({ text }) => text).join("");
        expect(essence(said)).toBe(essence(whole.compiled.plainText));
      }),
      { numRuns: 80 },
    );
  });
});

describe.each(having("marks", "lossy_lists"))("$name, strict", (platform) => {
  test("refuses what it would lose, each with its code, and takes what is whole", () => {
    const channel = channelOn(platform, { strict: true });
    const lossy = aPost({
      text: "<ul><li>а</li></ul>",
      format: "html",
      media: [{ ...photos(1)[0], kind: "photo", alt: "б" }],
    });
    expect(platform.compile(lossy, channel)).toMatchObject({
      ok: false,
      error: {
        category: "PERMANENT",
        scope: "delivery",
        code: "validation_failed",
        message: expect.stringContaining("(list_as_bullets)"),
        raw: { losses: ["list_as_bullets", "alt_text"] },
      },
    });
    expect(platform.compile(aPost({ text: "<b>а</b>", format: "html" }), channel).ok).toBe(true);
  });
});

test.each(all)("$name refuses a channel whose settings are wrong, naming the setting", (platform) => {
  for (const settings of [
    { too_long: "maybe" },
    { markup: 1 },
    { strict: "yes" },
    { link_preview: { size: "huge" } },
  ]) {
    expect(platform.compile(aPost({ text: "а" }), channelOn(platform, settings))).toMatchObject({
      ok: false,
      error: {
        scope: "channel",
        code: "channel_misconfigured",
        message: expect.stringContaining(Object.keys(settings)[0] ?? ""),
      },
    });
  }
});

describe("telegram", () => {
  const telegram = platformOf("telegram");

  test("gets HTML instead of entities where the channel says so", () => {
    const text =
      '<b>а &amp; б</b> <a href="https://a.ru/?a=1&amp;b=2">в</a>\n<pre><code class="language-ts">x &lt; y</code></pre>';
    const [request] = requestsOn(telegram, aPost({ text, format: "html" }), { markup: "html" });
    expect(request?.body).toEqual({
      text: '<b>а &amp; б</b> <a href="https://a.ru/?a=1&amp;b=2">в</a>\n\n<pre><code class="language-ts">x &lt; y</code></pre>',
      parse_mode: "HTML",
    });
    expect(request?.text).toBe("а & б в\n\nx < y");
  });

  test("counts readers' characters in HTML, and the bytes that Telegram parses", () => {
    const link = (count: number) => `<a href="https://a.ru/${"x".repeat(2_000)}">я</a> `.repeat(count);
    const compile = (count: number, settings = {}) =>
      telegram.compile(
        aPost({ text: link(count), format: "html" }),
        channelOn(telegram, { markup: "html", ...settings }),
      );
    expect(compile(15).ok).toBe(true);
    expect(compile(17)).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining("at most 32768") },
    });
    expect(compile(17, { too_long: "split" }).ok).toBe(true);
  });

  test("is told which link to preview, how large and where", () => {
    const linkPreview = { url: "https://a.ru", size: "small", above: true } as const;
    const [request] = requestsOn(telegram, aPost({ text: "а", options: { linkPreview } }), {});
    expect(request?.body.link_preview_options).toEqual({
      url: "https://a.ru",
      prefer_small_media: true,
      show_above_text: true,
    });
    const [byChannel] = requestsOn(telegram, aPost({ text: "а" }), { link_preview: { size: "large" } });
    expect(byChannel?.body.link_preview_options).toEqual({ prefer_large_media: true });
  });
});

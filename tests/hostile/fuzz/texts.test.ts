import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseContent, postFromPayload } from "../../../src/content/index.ts";
import { feedConfig } from "../../../src/delivery/pull/config.ts";
import { decodeText } from "../../../src/delivery/pull/feed/decode-text.ts";
import { itemPost } from "../../../src/delivery/pull/feed/item-post.ts";
import { parseFeed } from "../../../src/delivery/pull/feed/parse-feed.ts";
import { renderTemplate } from "../../../src/delivery/templates/render-template.ts";
import { createPlatforms, platformNames } from "../../../src/platforms/index.ts";
import { holds, hostileJson, hostileText } from "./arbitraries.ts";
import { corpus } from "./corpus.ts";

const nowhere = "http://127.0.0.1:9";
const platforms = createPlatforms({ TELEGRAM_API_ROOT: nowhere, MAX_API_ROOT: nowhere });
const forbiddenLink = /^\s*(javascript|data|vbscript|file):/i;

/** Shapes whose cost grows faster than their length in a careless parser; each as long as a text may be. */
const long = 99_000;
const expensive = [
  "<b>",
  "<a href=x>",
  "<!--",
  "&",
  "*",
  "_a",
  "[",
  "![](",
  "> ",
  "- ",
  "`",
  "| ",
  "(((",
  "<",
  "a@",
  "\n",
  "a\n",
  "- a\n",
].map((piece) => piece.repeat(Math.floor(long / piece.length)));

describe.each(["html", "markdown", "plain"] as const)("a hostile text read as %s", (format) => {
  const kept = format === "plain" ? [...corpus("html"), ...corpus("markdown")] : corpus(format);

  it.each(kept)("becomes a harmless post or a refusal: %s", (_, bytes) =>
    checkText(bytes.toString("utf8"), format),
  );

  it("becomes a harmless post or a refusal, whatever it is", () => {
    return holds(fc.property(hostileText, (text) => checkText(text, format)));
  });

  it.each(expensive.map((text) => [text.slice(0, 6), text]))(
    "does not cost more than it is long: %j…",
    (_, text) => {
      checkText(text, format);
    },
  );
});

describe("a hostile feed", () => {
  it.each(corpus("feeds"))("gives harmless posts or a reason: %s", (_, bytes) => checkFeed(bytes));

  it("gives harmless posts or a reason, whatever it is", () => {
    const kept = corpus("feeds").map(([, bytes]) => bytes);
    const mutated = fc.tuple(fc.constantFrom(...kept), fc.nat(), hostileText).map(([bytes, at, text]) => {
      const place = at % (bytes.length + 1);
      return Buffer.concat([bytes.subarray(0, place), Buffer.from(text), bytes.subarray(place)]);
    });
    return holds(fc.property(fc.oneof(mutated, fc.uint8Array({ maxLength: 400 })), checkFeed));
  });

  it("declares no entities", () => {
    for (const [name, bytes] of corpus("feeds").filter(([name]) => /bomb|entity/.test(name)))
      expect([name, parseFeed(bytes.toString("utf8"), "https://feed.example/").ok]).toEqual([name, false]);
  });
});

describe("a hostile template", () => {
  it("is rendered within its limits or refused, and never throws", () => {
    return holds(
      fc.property(hostileText, fc.dictionary(fc.string(), hostileJson, { maxKeys: 3 }), (body, payload) => {
        const rendered = renderTemplate({ body, defaults: {} }, payload, "HTML");
        expect(rendered).toMatchObject({ ok: expect.any(Boolean) });
      }),
    );
  });

  it.each([
    "{% for i in (1..1000000000) %}{{ i }}{% endfor %}",
    "{% for i in (1..9999) %}{% for j in (1..9999) %}x{% endfor %}{% endfor %}",
    "{{ 'x' | times: 99999999999 }}{% include '/etc/passwd' %}",
    "{{ constructor.constructor }}{{ __proto__.polluted }}{{ toString }}",
    "{% assign a = 'xxxxxxxxxx' %}{% for i in (1..100) %}{% assign a = a | append: a %}{% endfor %}{{ a }}",
  ])("stops or says nothing: %s", (body) => {
    const rendered = renderTemplate({ body, defaults: {} }, {}, "None");
    if (rendered.ok) expect(rendered.text).not.toMatch(/function|root:/);
  });
});

it("no input has changed the prototype of anything", () => {
  expect(Object.keys(Object.getPrototypeOf({}))).toEqual([]);
  expect("polluted" in {}).toBe(false);
});

function checkText(text: string, format: "html" | "markdown" | "plain"): void {
  const parsed = parseContent(text, format);
  if (!parsed.ok) {
    expect(parsed.error).toMatchObject({ code: expect.any(String), message: expect.stringMatching(/./) });
    return;
  }
  expect(linksIn(parsed.document).filter((url) => forbiddenLink.test(url))).toEqual([]);
  for (const name of platformNames) {
    const channel = { platform: name, targetId: "-1", sendMode: "mixed", settings: {} } as const;
    const post = { document: parsed.document, format, media: [], buttons: [], options: {} };
    const result = platforms.platformOf(name).compile(post, channel);
    if (result.ok)
      expect(JSON.stringify(result.compiled)).not.toMatch(/"url":"\s*(javascript|data|vbscript|file):/i);
    else expect(result.error.message).not.toBe("");
  }
}

function checkFeed(bytes: Uint8Array): void {
  const feed = parseFeed(decodeText(bytes, undefined), "https://feed.example/rss");
  if (!feed.ok) {
    expect(feed.message).not.toBe("");
    return;
  }
  const config = feedConfig.parse({
    url: "https://feed.example/rss",
    fields: ["title", "summary", "content"],
  });
  for (const item of feed.items) {
    const { payload } = itemPost(item, config, "feed");
    const read = postFromPayload(payload);
    const links = read.ok
      ? [...linksIn(read.post.document), ...read.post.media.map(({ url = "" }) => url)]
      : [];
    expect(links.filter((url) => forbiddenLink.test(url))).toEqual([]);
  }
}

/** Every address anywhere in a document. */
function linksIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(linksIn);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === "url" && typeof inner === "string" ? [inner] : linksIn(inner),
  );
}

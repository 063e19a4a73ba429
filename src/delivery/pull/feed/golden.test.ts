import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { postFromPayload } from "../../../content/index.ts";
import { createPlatforms } from "../../../platforms/index.ts";
import { compileFor } from "../../ingest/compile-for-channel.ts";
import { feedConfig } from "../config.ts";
import { itemPost } from "./item-post.ts";
import { parseFeed } from "./parse-feed.ts";

const folder = new URL("golden/", import.meta.url);
const names = readdirSync(folder).filter((name) => /\.(xml|feed\.json)$/.test(name));

function postsOf(name: string, given: Record<string, unknown> = {}) {
  const url = "https://feed.example/rss";
  const feed = parseFeed(readFileSync(new URL(name, folder), "utf8"), url);
  if (!feed.ok) throw new Error(feed.message);
  const config = feedConfig.parse({ url, ...given });
  return feed.items.map((item) => ({
    ref: item.ref,
    published_at: item.publishedAt?.toISOString(),
    ...itemPost(item, config, "feed"),
  }));
}

describe("feeds as they come in the wild", () => {
  // covers autoposting: Pull mode
  it.each(names)("%s becomes the posts of its golden file", async (name) => {
    const posts = `${JSON.stringify(postsOf(name), null, 2)}\n`;
    await expect(posts).toMatchFileSnapshot(`golden/${name}.posts`);
  });

  it.each(names)("%s gives only texts that every platform's reader understands", (name) => {
    for (const { payload } of postsOf(name, { fields: ["title", "summary", "content"] }))
      expect(postFromPayload(payload)).toMatchObject({ ok: true });
  });

  it.each(names)("%s can be posted to Telegram and to MAX", (name) => {
    const nowhere = "http://127.0.0.1:9";
    const platforms = createPlatforms({ TELEGRAM_API_ROOT: nowhere, MAX_API_ROOT: nowhere });
    for (const { payload } of postsOf(name))
      for (const platform of ["telegram", "max"]) {
        const channel = { platform, target_id: "-100", send_mode: "mixed", settings: {} } as const;
        expect(compileFor(payload, channel, platforms)).toMatchObject({ ok: true });
      }
  });

  it("has the link as a button when the source says so", () => {
    const [post] = postsOf("notes.atom.xml", { link: "button", link_text: "Открыть" });
    expect(post?.payload).toMatchObject({
      buttons: [[{ text: "Открыть", url: "https://feed.example/2026/42.html" }]],
      text: expect.not.stringContaining("Открыть"),
    });
  });

  it("takes as many media, of the kinds, as the source says", () => {
    const [, second] = postsOf("shop.feed.json", { max_media: 0 });
    expect(second?.payload).not.toHaveProperty("media");
    const [first] = postsOf("shop.feed.json", { max_media: 5, media_types: ["video", "photo"] });
    expect(first?.payload).toMatchObject({ media: [{ type: "photo" }, { type: "video" }] });
  });
});

import { expect, test } from "vitest";
import type { EventText } from "../../texts/index.ts";
import { sentenceOf } from "./event-words.ts";

const words: Record<string, EventText> = { paused: ["Channel {channel} is paused", "A channel is paused"] };
const channel = { id: "1", title: "Новости {channel} Москвы", platform: "max", target: "-7" };

test("the channel's name is put at its place in the sentence, whatever it contains", () => {
  expect(sentenceOf({ action: "paused", channel }, words)).toEqual({
    before: "Channel ",
    channel: "Новости {channel} Москвы",
    after: " is paused",
  });
});

test("without a channel the sentence does without it", () => {
  expect(sentenceOf({ action: "paused", channel: null }, words).before).toBe("A channel is paused");
});

test("an action without words is shown by its name", () => {
  expect(sentenceOf({ action: "brand_new", channel: null }, words).before).toBe("brand_new");
  expect(sentenceOf({ action: "brand_new", channel }, words)).toMatchObject({
    before: "brand_new: ",
    after: "",
  });
});

import { describe, expect, it } from "vitest";
import { deniesSight } from "./photos.ts";

describe("a model that did not see", () => {
  it.each([
    ["К сожалению, я не вижу фото.", true],
    ["Изображение не загрузилось, пришлите ещё раз.", true],
    ["I am unable to view the image.", true],
    ["На фото не видно раны, это хороший знак.", false],
    ["Вижу фото кота.", false],
  ])("%s: %s", (text, denies) => expect(deniesSight(text)).toBe(denies));
});

import { describe, expect, it } from "vitest";
import { fitPost } from "./fit-post.ts";

describe("a model's answer", () => {
  const fitting = {
    ...({ platform: "telegram", words: { min: 1, max: 30 }, phrase: "чай", disclaimer: null } as const),
  };
  const fitted = (
    text: string,
    given: Partial<Parameters<typeof fitPost>[1]> = {},
    hashtags: string[] = [],
  ) => fitPost({ text, hashtags, pin_title: null }, { ...fitting, ...given });

  it.each([
    [
      "keeps bold and italic and closes what is open",
      "<b>Чай</b> и <em>вода & <i>лёд",
      "<b>Чай</b> и <i>вода &amp; лёд</i>",
    ],
    ["knows Markdown", "**Чай** дня", "<b>Чай</b> дня"],
    [
      "has no other tags, addresses and fences",
      "```\n<script>Чай</script> [тут](https://x.example) www.x.example\n```",
      "Чай тут",
    ],
    ["shows signs as signs", "5 < 7 &amp; 8 > 3", "5 &lt; 7 &amp; 8 &gt; 3"],
  ])("%s", (_, given, text) => {
    expect(fitted(given).post.text).toBe(text);
  });

  it("that is too long loses sentences before the last, and hashtags of its own lines are told apart", () => {
    const long = `Чай первый. ${"Слово за слово и ещё одно. ".repeat(20)}\n\nПриходите!\n\n#чай #Чай, #вода #12`;
    const { post, isUsable } = fitted(long, { platform: "vk" }, ["чай дня"]);
    expect(post.text).toMatch(/^Чай первый\. .*\n\nПриходите!$/);
    expect(post.words).toBeLessThanOrEqual(30);
    expect(post.hashtags).toEqual(["#чай_дня", "#Чай", "#вода"]);
    expect(isUsable).toBe(true);
    expect(fitted("слово ".repeat(40), { platform: "vk" }).isUsable).toBe(false);
  });

  it("for a Pin fits 500 characters with its disclaimer and hashtags, and has a title", () => {
    const words = { min: 20, max: 300 };
    const disclaimer = "Материал носит информационный характер.";
    const text = "Длинное предложение о том, как заваривать чай правильно. ".repeat(12);
    const { post } = fitted(text, { platform: "pinterest", words, disclaimer }, ["один", "два", "три"]);
    expect(post.text.length + disclaimer.length + post.hashtags.join(" ").length + 4).toBeLessThanOrEqual(
      500,
    );
    expect(post).toMatchObject({ pin_title: "Чай", hashtags: ["#один", "#два"] });
  });
});

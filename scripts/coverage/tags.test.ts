import { expect, it } from "vitest";
import { tagsIn } from "./tags.js";

/** Put together here, so that nobody takes these examples for comments of this file's own tests. */
const covers = "// covers";

it("finds what the comment above a test names, also above a table of cases", () => {
  const source = `
    ${covers} autoposting: Point 1; Dedup requirements
    ${covers} shopbot: Turn guard
    it("goes out once", () => {});
    it("is silent about it", () => {});
    ${covers} llm: Streaming
    it.each([["a)", "(b"], ["/* c */"]])("streams %s", () => {});
    it.each<[string, (text: string) => string]>([["a", (text) => text]])("reads %s", () => {});
  `;
  expect(tagsIn(source)).toEqual({
    tests: [
      {
        title: "goes out once",
        covers: [
          { part: "autoposting", name: "Point 1" },
          { part: "autoposting", name: "Dedup requirements" },
          { part: "shopbot", name: "Turn guard" },
        ],
      },
      { title: "is silent about it", covers: [] },
      { title: "streams %s", covers: [{ part: "llm", name: "Streaming" }] },
      { title: "reads %s", covers: [] },
    ],
    stray: [],
  });
});

it("reports a comment that is not above a test", () => {
  expect(tagsIn(`${covers} llm: Streaming\n\nit("streams", () => {});`).stray).toEqual([1]);
});

import { expect, it } from "vitest";
import { hrefOf, readable } from "./href.ts";

it.each([
  ["https://example.ru/a?b=1", "https://example.ru/a?b=1"],
  ["tg://resolve?domain=x", "tg://resolve?domain=x"],
  ["max://user/42", "max://user/42"],
  ["mailto:a@example.ru", "mailto:a@example.ru"],
  ["tel:+79990000000", "tel:+79990000000"],
  ["example.ru/news", "https://example.ru/news"],
])("makes a link of %s", (address, href) => {
  expect(hrefOf(address)).toBe(href);
});

it.each([
  "javascript:alert(1)",
  " JavaScript:alert(1)",
  "java\nscript:alert(1)",
  "data:text/html,x",
  "file:///etc/passwd",
  "vbscript:x",
  "просто слова",
  "",
  undefined,
])("makes no link of %j", (address) => {
  expect(hrefOf(address)).toBeUndefined();
});

it("shows an address as people read it", () => {
  expect(readable("https://www.example.ru/%D0%BC%D0%B5%D0%BD%D1%8E/?a=1")).toEqual({
    host: "example.ru",
    rest: "/меню/?a=1",
  });
  expect(readable("https://example.ru/")).toEqual({ host: "example.ru", rest: "" });
  expect(readable("https://пример.рф/меню#x")).toEqual({ host: "пример.рф", rest: "/меню" });
  expect(readable("tg://resolve?domain=x").host).toContain("tg:");
  expect(readable("https://example.ru/100%")).toEqual({ host: "example.ru", rest: "/100%" });
});

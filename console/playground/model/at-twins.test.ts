import { expect, it } from "vitest";
import { linkOf } from "./at-twins.ts";

it.each([
  ["https://my-site.wordpress.test/chay/?a=1#b", "/wordpress/my-site/chay/?a=1#b"],
  ["my-site.wordpress.test", "/wordpress/my-site/"],
  ["https://vk.com/wall-30000002_1", "/vk/wall-30000002_1"],
  ["https://www.pinterest.com/pin/12/", "/pinterest/pin/12/"],
  ["https://t.me/c/1234567890/5", "#telegram/-1001234567890"],
  ["https://t.me/dva_lista_tea/5", "#named/telegram/dva_lista_tea"],
  ["https://t.me/seo_master_bot?start=ref_77", "#start/telegram/seo_master_bot/ref_77"],
])("%s leads to %s of the twins", (address, href) => {
  expect(linkOf(address)).toBe(href);
});

it.each([
  "https://t.me/BotFather",
  "https://t.me/share/url?url=x",
  "https://vk.com/durov",
  "https://wordpress.test/",
  "https://my-site.wordpress.test.example.ru/",
  "http://127.0.0.1:8090/wordpress/my-site/",
])("%s is followed as it is", (address) => {
  expect(linkOf(address)).toBe(address);
});

it("what may not be followed leads nowhere", () => {
  expect(linkOf("javascript:alert(1)")).toBeUndefined();
});

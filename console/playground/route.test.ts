import { expect, it } from "vitest";
import { hashOf, nameOf, placeHashOf, placeRouteOf, returnOf, routeOf, startOf } from "./route.ts";

it("a chat's address leads back to the chat", () => {
  expect(hashOf("telegram", "-1001234567890")).toBe("#telegram/-1001234567890");
  expect(routeOf("#telegram/-1001234567890")).toEqual({
    provider: "telegram",
    id: "-1001234567890",
    key: "telegram/-1001234567890",
  });
  expect(routeOf(hashOf("max", "a/b %"))?.id).toBe("a/b %");
});

it.each(["", "#", "#telegram", "#telegram/", "#/5"])("%j opens no chat", (hash) => {
  expect(routeOf(hash)).toBeUndefined();
});

it("a stray percent sign typed by hand breaks nothing", () => {
  expect(routeOf("#max/5%")?.id).toBe("5%");
});

it("a link to a bot begins a dialogue in its messenger, and opens no chat", () => {
  expect(startOf("#start/telegram/advice_bot")).toEqual({ provider: "telegram", name: "advice_bot" });
  expect(startOf("#start/max/shop%20bot")).toEqual({ provider: "max", name: "shop bot" });
  expect(startOf("#start/vk/shop_bot")).toBeUndefined();
  expect(routeOf("#start/telegram/advice_bot")).toBeUndefined();
});

it("a link can carry words to a bot, lead back to a talk, or name a chat; none of them opens a chat by itself", () => {
  expect(startOf("#start/telegram/seo_bot/ref_77")).toEqual({
    ...{ provider: "telegram", name: "seo_bot", payload: "ref_77" },
  });
  expect(returnOf("#return/telegram/42/pinterest_auth_5")).toEqual({
    ...{ provider: "telegram", id: "42", payload: "pinterest_auth_5" },
  });
  expect(returnOf("#return/telegram/42/two words")).toBeUndefined();
  expect(nameOf("#named/telegram/dva_lista_tea")).toEqual({
    provider: "telegram",
    username: "dva_lista_tea",
  });
  for (const hash of ["#return/telegram/42/pinterest_auth_5", "#named/telegram/dva_lista_tea"])
    expect(routeOf(hash)).toBeUndefined();
});

it("a site's address leads back to the site and opens no chat", () => {
  const hash = placeHashOf("wordpress", "shop.example/блог");
  expect(placeRouteOf(hash)).toMatchObject({ provider: "wordpress", id: "shop.example/блог" });
  expect(routeOf(hash)).toBeUndefined();
  expect(placeRouteOf("#telegram/1")).toBeUndefined();
});

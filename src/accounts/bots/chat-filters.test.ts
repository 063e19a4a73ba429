import { describe, expect, it } from "vitest";
import { chatFilters, mismatch } from "./chat-filters.ts";

const flat = { room_type: "2-комнатная", districts: ["Хамовники"], price: 90_000, category: "аренда" };
const parents = { Хамовники: "ЦАО", ЦАО: "Москва" };

describe("a bot's chat", () => {
  it.each([
    ["flagged common takes everything", { common: true, room_types: ["студия"] }, undefined],
    ["takes the room types of its list", { room_types: ["студия", "2-КОМНАТНАЯ"] }, undefined],
    ["takes no other room type", { room_types: ["студия"] }, "room_type"],
    ["takes an object in its district", { districts: ["хамовники"] }, undefined],
    ["takes an object in a district that belongs to its own", { districts: ["Москва"] }, undefined],
    ["takes no object elsewhere", { districts: ["САО"] }, "district"],
    ["takes the lowest price itself", { price_min: 90_000, price_max: 100_000 }, undefined],
    ["does not take the highest price itself", { price_min: 50_000, price_max: 90_000 }, "price"],
    ["takes any price above with no upper end", { price_min: 10 }, undefined],
    [
      "takes what fits all its filters",
      { room_types: ["2-комнатная"], districts: ["ЦАО"], price_max: 100_000 },
      undefined,
    ],
    [
      "takes nothing when one filter does not hold",
      { room_types: ["2-комнатная"], districts: ["ЦАО"], price_max: 80_000 },
      "price",
    ],
    ["without filters takes nothing", {}, "no_filters"],
    ["goes by its single category when it has nothing else", { category: "Аренда" }, undefined],
    ["finds its category among room types", { category: "2-комнатная" }, undefined],
    ["finds its category among districts and their parents", { category: "ЦАО" }, undefined],
    ["with another category takes nothing", { category: "продажа" }, "category"],
    ["does not ask its category when it has filters", { category: "продажа", districts: ["ЦАО"] }, undefined],
  ])("%s", (_, filters, why) => {
    expect(mismatch(filters, flat, parents)).toBe(why);
  });

  it("with a filter takes no object that lacks the field", () => {
    expect(mismatch({ price_max: 100 }, {}, {})).toBe("price");
    expect(mismatch({ districts: ["ЦАО"] }, {}, {})).toBe("district");
    expect(mismatch({ room_types: ["студия"] }, {}, {})).toBe("room_type");
  });

  it("is not led round a ring of parents", () => {
    expect(mismatch({ districts: ["В"] }, { districts: ["А"] }, { А: "Б", Б: "А" })).toBe("district");
  });

  it("whose prices cannot both hold is refused", () => {
    expect(chatFilters.safeParse({ price_min: 5, price_max: 5 }).success).toBe(false);
  });
});

import { describe, expect, it } from "vitest";
import { faultOf } from "./faults.ts";
import { agrees, readScript, writeScript } from "./script.ts";
import { mediaOf, repeated } from "./sent.ts";
import { claimOf } from "./turns.ts";

describe("a script", () => {
  it("is written as it was read", () => {
    const text =
      "# Проба\n\nСлова о ней,\nв две строки.\n\nЧеловек: /start\n\nБот:\n> Привет\n>\n> [Да](primary) [Нет]\n";
    expect(writeScript(readScript(text))).toBe(text);
  });

  it("lets a name stand for what differs, and for the same afterwards", () => {
    const known = new Map<string, string>();
    expect(agrees(["> Баланс: {баланс}"], ["> Баланс: 1500"], known)).toBe(true);
    expect(agrees(["> Было {баланс}"], ["> Было 1500"], known)).toBe(true);
    expect(agrees(["> Было {баланс}"], ["> Было 1501"], known)).toBe(false);
    expect(agrees(["> (1/4)?"], ["> (1/4)?"], known)).toBe(true);
  });

  it.each(["Человек жмёт: [Да]", "Дано всё:", "Неполадка:"])(
    "refuses a line that looks like a step and is none: %s",
    (line) => {
      expect(() => readScript(line)).toThrow("nobody knows");
    },
  );

  it("names faults by provider, method, place, kind and number", () => {
    const person = { company: "Два листа 7" };
    expect(faultOf("wordpress POST /wp/v2/posts у shop-1, статус 503, 2 раза", person)).toEqual({
      ...{ provider: "wordpress", method: "POST /wp/v2/posts", chat: "shop-1", times: 2 },
      fault: { kind: "status", status: 503 },
    });
    expect(faultOf("openrouter, ответ empty, всегда", person)).toEqual({
      ...{ provider: "openrouter", text: "Два листа 7", fault: { kind: "answer", flaw: "empty" } },
    });
    expect(() => faultOf("openrouter, капризничает", person)).toThrow("nobody knows this fault");
  });

  it("keeps scripts apart that break what others need", () => {
    const claims = ["Неполадка: dataforseo, статус 503, всегда", "Человек нажимает: [Да, генерировать]"].map(
      claimOf,
    );
    expect(claims).toMatchObject([
      { strikes: ["dataforseo"], needs: [] },
      { strikes: [], needs: ["dataforseo", "yandex"] },
    ]);
    expect(claimOf("Неполадка: openrouter, ответ empty, всегда").strikes).toEqual([]);
    expect(() => claimOf("Неполадка: serper, статус 503, всегда")).toThrow("serper");
  });

  it("says how often something is repeated instead of repeating it, and what a table holds", async () => {
    expect(repeated("{ч × 3}!")).toBe("ччч!");
    expect(await mediaOf("таблица prices.xlsx: Улун — 490 руб.")).toMatchObject({
      file: { kind: "document", name: "prices.xlsx" },
    });
    await expect(mediaOf("открытку")).rejects.toThrow("nobody knows how to send");
  });
});

import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { defaultSettings } from "./pace-settings.ts";

it("the reference page names every setting with its default, and has no placeholder left", () => {
  const page = readFileSync(new URL("../../../docs/reference/account-pace.md", import.meta.url), "utf8");
  expect(page).not.toMatch(/\{\w+\}/);
  const rows = page.split("\n").filter((line) => line.startsWith("| `"));
  const told = new Map<string, string>();
  for (const row of rows) {
    const [, names = "", values = ""] = row.split("|").map((cell) => cell.trim());
    const usual = values.split(",").map((value) => value.trim());
    for (const [index, name] of [...names.matchAll(/`(\w+)`/g)].entries())
      told.set(name[1] ?? "", usual[index] ?? "");
  }
  for (const [name, value] of Object.entries(defaultSettings))
    expect([name, told.get(name)]).toEqual([name, String(value)]);
});

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { runCommand } from "../../cli/testing/run-command.ts";
import { addSeo } from "./seo.ts";

const folder = tempFolder("seo-score");
const golden = fileURLToPath(new URL("../score/golden/07-autoservice.md", import.meta.url));
const score = (...args: string[]) => runCommand(addSeo, ["seo", "score", ...args], {});

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

describe("molva seo score", () => {
  it("prints the points of each part and what to change, most valuable first, in both languages", async () => {
    const { code, out } = await score(golden, "--as-published", "--lang", "ru");
    expect(code).toBe(0);
    expect(out).toMatch(/^62\/100, стоит доработать\n\nЧАСТЬ +БАЛЛЫ +ИЗ\nSEO +21 +30\n/);
    expect(out).toMatch(/Что изменить:\n1\. \+7 {2}Фраза в заголовке: фразы нет/);
    const english = await score(golden, "--phrase", "автосервис", "--meta", "Коротко", "--words", "300-500");
    expect(english.out).toMatch(/What to change:\n1\. \+5 {2}phrase in the first paragraph/);
    expect(english.out).toContain("meta description: 7 characters (wanted: 120–160 characters)");
  });

  it("answers in JSON and reads HTML by the name of the file", async () => {
    const path = file("a.html", "<h2>Диван</h2><p>Угловой диван стоит 5 000 руб.</p>");
    const { out } = await score(path, "--phrase", "угловой диван", "--title", "Угловой диван", "--json");
    expect(JSON.parse(out)).toMatchObject({ gate: "block", passed: false, words: 7 });
  });

  it.each([
    ["a file that is not there", () => join(folder, "nothing.md"), /nothing\.md cannot be read: .*ENOENT/],
    ["a folder", () => folder, /cannot be read: .*EISDIR/],
    ["an empty file", () => file("empty.md", " \n"), /is empty: there is nothing to score/],
    ["a picture", () => file("a.md", Buffer.from([0x89, 0x50, 0, 0x0a])), /is not a text in UTF-8/],
    ["another encoding", () => file("b.md", Buffer.from([0xcf, 0xf0, 0xe8])), /is not a text in UTF-8/],
    ["a book", () => file("c.md", "слово ".repeat(60_000)), /is too large: an article has at most 100000/],
    [
      "broken front matter",
      () => file("d.md", "---\ntitle: [\n---\nтекст"),
      /the lines between --- cannot be read/,
    ],
  ])("refuses %s with a sentence", async (_, path, message) => {
    const { code, err } = await score(path(), "--phrase", "диван");
    expect(err).toMatch(message);
    expect(code).toBe(2);
  });

  it("says what is missing or mistyped among its options", async () => {
    const path = file("e.md", "Текст о диване.");
    expect((await score(path)).err).toContain("which phrase?");
    expect((await score(path, "--phrase", "диван", "--words", "много")).err).toContain("1500-2500");
    expect((await score(path, "--phrase", "диван", "--lang", "de")).err).toContain("--lang is ru or en");
  });
});

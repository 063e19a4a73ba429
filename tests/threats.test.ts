import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tagsIn } from "../scripts/coverage/tags.js";
import { projectRoot } from "../src/kernel/paths/index.ts";

const page = readFileSync(join(projectRoot, "docs/reference/threats.md"), "utf8").replace(/<!--.*?-->/gs, "");
const rows = page
  .split("\n")
  .filter((line) => line.startsWith("| ") && !/^\| (---|Way in|Has|What) \|/.test(line));
/** `file.test.ts`: “the name of one of its tests”. */
const named = rows.flatMap((row) =>
  [...row.matchAll(/`([\w/.-]+\.test\.ts)`(?:: “([^”]+)”)?/g)].map(([, file = "", name]) => ({ file, name })),
);
const pathOf = (file: string) => join(projectRoot, file);

describe("the page of threats", () => {
  it("names a test in every row", () => {
    expect(rows.length).toBeGreaterThan(40);
    expect(rows.filter((row) => !/`[\w/.-]+\.test\.ts`/.test(row))).toEqual([]);
  });

  it("names each test by its file and its sentence", () => {
    expect(named.filter(({ name }) => name === undefined).map(({ file }) => file)).toEqual([]);
  });

  it("names only tests that are there", () => {
    expect(named.filter(({ file }) => !existsSync(pathOf(file)))).toEqual([]);
    const titlesIn = (file: string) =>
      tagsIn(readFileSync(pathOf(file), "utf8")).tests.map(({ title }) => title);
    expect(named.filter(({ file, name }) => !titlesIn(file).some((title) => title === name))).toEqual([]);
  });
});

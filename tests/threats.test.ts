import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { projectRoot } from "../src/kernel/paths/index.ts";

const page = readFileSync(join(projectRoot, "docs/reference/threats.md"), "utf8").replace(/<!--.*?-->/gs, "");
const rows = page
  .split("\n")
  .filter((line) => line.startsWith("| ") && !/^\| (---|Way in|Has|What) \|/.test(line));
/** `file.test.ts`, with the names of tests in it that follow. */
const named = [...page.matchAll(/`([\w/.-]+\.test\.ts)`(?:: “([^”]+)”)?/g)].map(([, file = "", name]) => ({
  file,
  name,
}));

describe("the page of threats", () => {
  it("names a test in every row", () => {
    expect(rows.length).toBeGreaterThan(40);
    expect(rows.filter((row) => !/`[\w/.-]+\.test\.ts`/.test(row))).toEqual([]);
  });

  it("names only tests that are there", () => {
    expect(named.filter(({ file }) => !existsSync(join(projectRoot, file)))).toEqual([]);
    const isIn = (file: string, name: string) => readFileSync(join(projectRoot, file), "utf8").includes(name);
    expect(named.filter(({ file, name }) => name && !isIn(file, name))).toEqual([]);
  });
});

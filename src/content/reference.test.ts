import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { lossTexts } from "./losses.ts";
import { contentErrorCodes, repairTexts } from "./problem.ts";

const page = readFileSync(new URL("../../docs/reference/content.md", import.meta.url), "utf8");

test.each([...contentErrorCodes, ...Object.keys(repairTexts), ...Object.keys(lossTexts)])(
  "%s is documented",
  (code) => {
    expect(page).toContain(`\`${code}\``);
  },
);

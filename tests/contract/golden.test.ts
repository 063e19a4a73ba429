import { describe, expect, test } from "vitest";
import { postFromPayload } from "../../src/content/index.ts";
import { createPlatforms, platformNames } from "../../src/platforms/index.ts";
import { goldenPayloads } from "./golden-payloads.ts";

const { platformOf } = createPlatforms({ telegramApiRoot: "http://telegram", maxApiRoot: "http://max" });

/** Read a changed golden file as a reader of the channel would, before accepting it with `vitest -u`. */
describe.each(platformNames)("%s renders as its golden file says", (name) => {
  test.each(Object.entries(goldenPayloads))("%s", async (title, payload) => {
    const read = postFromPayload(payload);
    if (!read.ok) throw new Error(read.error.message);
    const result = platformOf(name).compile(read.post, {
      platform: name,
      targetId: "-1001",
      sendMode: "mixed",
      settings: {},
    });
    const rendered = `${JSON.stringify({ repairs: read.repairs, ...result }, null, 2)}\n`;
    await expect(rendered).toMatchFileSnapshot(`golden/${title}.${name}.json`);
  });
});

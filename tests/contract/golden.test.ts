import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Mark, postFromPayload } from "../../src/content/index.ts";
import {
  createPlatforms,
  type Platform,
  type PlatformName,
  platformNames,
} from "../../src/platforms/index.ts";
import { goldenPayloads, goldenSettings } from "./golden-payloads.ts";
import { type Harness, openHarness } from "./harness.ts";

const { platformOf } = createPlatforms({ TELEGRAM_API_ROOT: "http://telegram", MAX_API_ROOT: "http://max" });

function rendered(title: string, platform: Platform, targetId: string) {
  const read = postFromPayload(goldenPayloads[title]);
  if (!read.ok) throw new Error(read.error.message);
  const channel = {
    platform: platform.name,
    targetId,
    sendMode: "mixed",
    settings: goldenSettings[title] ?? {},
  } as const;
  return { repairs: read.repairs, result: platform.compile(read.post, channel), channel };
}

/** Read a changed golden file as a reader of the channel would, before accepting it with `vitest -u`. */
describe.each(platformNames)("%s renders as its golden file says", (name) => {
  // covers networks: An article on each platform by its golden file
  test.each(Object.keys(goldenPayloads))("%s", async (title) => {
    const { repairs, result } = rendered(title, platformOf(name), "-1001");
    const file = `${JSON.stringify({ repairs, ...result }, null, 2)}\n`;
    await expect(file).toMatchFileSnapshot(`golden/${title}.${name}.json`);
  });
});

describe.each(platformNames)(
  "%s takes every golden post and shows what was promised",
  (name: PlatformName) => {
    let harness: Harness;
    beforeAll(async () => {
      harness = await openHarness(name);
    });
    beforeEach(() => harness.reset());
    afterAll(() => harness.close());

    // covers networks: An article on each platform by its golden file
    test.each(Object.keys(goldenPayloads))("%s", async (title) => {
      const { result, channel } = rendered(title, harness.platform, harness.channel.targetId);
      // Not every platform can show every post; the golden file says why.
      if (!result.ok) return expect(result.error.code).toBe("validation_failed");
      expect(await harness.platform.send(result.compiled, harness.context())).toMatchObject({ kind: "sent" });

      const promised = result.compiled.requests.map(
        (request) => harness.platform.preview(request, channel).shown,
      );
      const shown = (await harness.messages()).filter(({ text }) => text !== "");
      expect(shown.map(({ text }) => text).join("\n\n")).toBe(
        promised.flatMap(({ text }) => (text ? [text] : [])).join("\n\n"),
      );
      const marks = promised.flatMap(({ text, marks: each }) =>
        each.map((mark) => said(mark.kind.type, mark, text)),
      );
      const seen = shown.flatMap(({ text, marks: each }) => each.map((mark) => said(mark.type, mark, text)));
      expect(seen).toEqual(expect.arrayContaining(marks));
    });
  },
);

/** Names that differ between a twin's page and the document model, or that look the same. */
const sameLook: Readonly<Record<string, string>> = {
  pre: "code",
  emoji: "custom_emoji",
  expandable_quote: "quote",
};

function said(type: string, { offset, length }: Pick<Mark, "offset" | "length">, text: string): string {
  return `${sameLook[type] ?? type}: ${text.slice(offset, offset + length)}`;
}

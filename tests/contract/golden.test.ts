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

const { platformOf } = createPlatforms({ telegramApiRoot: "http://telegram", maxApiRoot: "http://max" });

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

    test.each(Object.keys(goldenPayloads))("%s", async (title) => {
      const { result, channel } = rendered(title, harness.platform, harness.channel.targetId);
      if (!result.ok) throw new Error(result.error.message);
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

/** Names in which a twin's page and the document model differ, or which look the same. */
const sameLook: Readonly<Record<string, string>> = {
  pre: "code",
  emoji: "custom_emoji",
  expandable_quote: "quote",
};

function said(type: string, { offset, length }: Pick<Mark, "offset" | "length">, text: string): string {
  return `${sameLook[type] ?? type}: ${text.slice(offset, offset + length)}`;
}

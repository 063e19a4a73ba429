import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Mark, postFromPayload } from "../../src/content/index.ts";
import {
  createPlatforms,
  type Platform,
  type PlatformName,
  platformNames,
} from "../../src/platforms/index.ts";
import { goldenPayloads, goldenSettings } from "./golden-payloads.ts";
import { openStand, type Stand } from "./stand.ts";

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
    let stand: Stand;
    beforeAll(async () => {
      stand = await openStand(name);
    });
    beforeEach(() => stand.reset());
    afterAll(() => stand.close());

    test.each(Object.keys(goldenPayloads))("%s", async (title) => {
      const { result, channel } = rendered(title, stand.platform, stand.channel.targetId);
      if (!result.ok) throw new Error(result.error.message);
      expect(await stand.platform.send(result.compiled, stand.context())).toMatchObject({ kind: "sent" });

      const promised = result.compiled.requests.map(
        (request) => stand.platform.preview(request, channel).shown,
      );
      const shown = (await stand.messages()).filter(({ text }) => text !== "");
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

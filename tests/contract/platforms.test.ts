import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { HttpClient } from "../../src/kernel/outbound/index.ts";
import {
  checkCredential,
  createPlatforms,
  credentialText,
  readCredential,
  trackProgress,
} from "../../src/platforms/index.ts";
import { type Harness, openHarness } from "./harness.ts";
import { definitions, names } from "./platforms.ts";
import { aPost, photos } from "./posts.ts";
import { carries, type Feature, preparationOf } from "./preparation.ts";
import { aFile, sampleMedia } from "./samples.ts";

const prepared = await Promise.all(
  names.map(async (name) => ({ name, preparation: await preparationOf(name) })),
);

describe.each(prepared)("$name", ({ name, preparation }) => {
  /** For what a platform need not have. */
  const has = (...features: Feature[]) => carries(preparation, ...features);
  const kinds = (["photo", "video", "animation", "audio", "document"] as const).filter(
    (kind) => kind === "photo" || carries(preparation, kind),
  );
  let harness: Harness;
  beforeAll(async () => {
    harness = await openHarness(name);
  });
  beforeEach(() => harness.reset());
  afterAll(() => harness.close());

  describe("carries", () => {
    // covers autoposting: sendText
    test.runIf(has("marks", "buttons"))("a text with its formatting and buttons", async () => {
      const outcome = await harness.send(
        aPost({
          text: '<b>Привет</b>, мир 🦊 & <a href="https://a.ru/?a=1&b=2">ссылка</a>',
          format: "html",
          buttons: [
            [{ text: "Купить", url: "https://a.ru/buy" }],
            [{ text: "Карта", url: "https://a.ru/map" }],
          ],
        }),
      );
      const [message] = await harness.messages();
      expect(message).toMatchObject({
        text: "Привет, мир 🦊 & ссылка",
        marks: [
          { type: "bold", offset: 0, length: 6 },
          { type: "link", offset: 17, length: 6, url: "https://a.ru/?a=1&b=2" },
        ],
        buttons: [
          [{ text: "Купить", url: "https://a.ru/buy" }],
          [{ text: "Карта", url: "https://a.ru/map" }],
        ],
      });
      expect(outcome).toMatchObject({
        kind: "sent",
        providerMessageId: message?.id,
        url: expect.stringMatching(/^https:/),
      });
    });

    // covers autoposting: sendText
    test.runIf(has("marks"))("a text written in Markdown", async () => {
      await harness.send(aPost({ text: "**жир** и _курсив_, 2 * 2, snake_case, C++", format: "markdown" }));
      expect(await harness.messages()).toMatchObject([
        {
          text: "жир и курсив, 2 * 2, snake_case, C++",
          marks: [
            { type: "bold", offset: 0, length: 3 },
            { type: "italic", offset: 6, length: 6 },
          ],
        },
      ]);
    });

    // covers autoposting: sendText
    test("plain text without reading anything into it", async () => {
      const text = "<b>не тег</b> & **не жир** _x_\n\n\nконец";
      await harness.send(aPost({ text }));
      expect(await harness.messages()).toMatchObject([{ text, marks: [] }]);
    });

    // covers autoposting: sendMedia
    test.each(kinds)("one %s with its caption", async (kind) => {
      const outcome = await harness.send(aPost({ text: "Подпись", media: [{ kind, blobRef: "b" }] }));
      expect(outcome.kind).toBe("sent");
      // MAX has no animations and shows a video.
      const shown = { kind: expect.stringMatching(kind === "animation" ? /animation|video/ : kind) };
      expect(await harness.messages()).toMatchObject([{ text: "Подпись", media: [shown] }]);
    });

    // covers autoposting: sendMedia
    test.runIf(has("album", "video"))("an album as one post, in order, with one caption", async () => {
      const media = [...photos(2), { kind: "video", blobRef: "v" } as const, ...photos(1)];
      const outcome = await harness.send(aPost({ text: "Альбом", media }));
      expect(outcome.kind).toBe("sent");
      const messages = await harness.messages();
      expect(messages.flatMap(({ media: shown }) => shown.map(({ kind }) => kind))).toEqual([
        "photo",
        "photo",
        "video",
        "photo",
      ]);
      expect(messages.map(({ text }) => text).filter(Boolean)).toEqual(["Альбом"]);
      expect(new Set(messages.map(({ albumId }) => albumId)).size).toBe(1);
    });

    test.runIf(has("document"))("several documents in order, with the text once", async () => {
      const media = ["a", "b", "c"].map((blobRef) => ({ kind: "document", blobRef }) as const);
      expect((await harness.send(aPost({ text: "Прайсы", media }))).kind).toBe("sent");
      const messages = await harness.messages();
      expect(
        messages.flatMap(({ media: shown }) => shown.map(({ kind, name }) => `${kind} ${name}`)),
      ).toEqual(media.map(() => "document прайс.pdf"));
      expect(messages.map(({ text }) => text).filter(Boolean)).toEqual(["Прайсы"]);
    });

    test.each(carries(preparation, "buttons") ? kinds : [])("one %s with buttons", async (kind) => {
      const buttons = [[{ text: "Купить", url: "https://a.ru/buy" }]];
      const outcome = await harness.send(aPost({ text: "Товар", media: [{ kind, blobRef: "b" }], buttons }));
      expect(outcome.kind).toBe("sent");
      expect(await harness.messages()).toMatchObject([{ text: "Товар", buttons: [[{ text: "Купить" }]] }]);
    });

    test.runIf(has("album", "buttons"))("an album with buttons, which a reader finds once", async () => {
      const buttons = [[{ text: "Купить", url: "https://a.ru/buy" }]];
      expect((await harness.send(aPost({ text: "Товары", media: photos(3), buttons }))).kind).toBe("sent");
      const messages = await harness.messages();
      expect(messages.flatMap(({ media }) => media)).toHaveLength(3);
      expect(messages.filter((message) => message.buttons.length > 0)).toMatchObject([{ text: "Товары" }]);
    });

    test.runIf(has("replies", "silence"))(
      "an answer to an earlier post, without a preview, silently",
      async () => {
        const first = await harness.send(aPost({ text: "https://a.ru" }));
        const replyTo = first.kind === "sent" ? first.providerMessageId : "";
        await harness.send(
          aPost({ text: "https://b.ru", options: { replyTo, linkPreview: false, silent: true } }),
        );
        const [shown, answer] = await harness.messages();
        expect(shown).toHaveProperty("linkPreview");
        expect(answer).toMatchObject({ replyTo: { id: replyTo }, silent: true });
        expect(answer).not.toHaveProperty("linkPreview");
      },
    );

    test.runIf(has("album"))("never more than the largest album in one request", async () => {
      const { max } = harness.platform.limits.album ?? { max: 1 };
      const result = harness.platform.compile(aPost({ media: photos(max + 1) }), harness.channel);
      if (!result.ok) return expect(result.error.code).toBe("validation_failed");
      expect((await harness.platform.send(result.compiled, harness.context())).kind).toBe("sent");
      expect(Math.max(...result.compiled.requests.map(({ media }) => media.length))).toBeLessThanOrEqual(max);
      expect((await harness.messages()).flatMap(({ media }) => media)).toHaveLength(max + 1);
    });

    test("nothing of a text one unit above the limit, unless in parts within it", async () => {
      const text = "я".repeat(harness.platform.limits.text + 1);
      const result = harness.platform.compile(aPost({ text }), harness.channel);
      if (result.ok)
        return expect(
          Math.max(...result.compiled.requests.map((request) => request.text.length)),
        ).toBeLessThanOrEqual(harness.platform.limits.text);
      expect(result.error).toMatchObject({
        category: "PERMANENT",
        scope: "delivery",
        code: "validation_failed",
      });
    });

    // covers autoposting: sendMedia
    test.runIf(has("album"))("the largest album", async () => {
      const { max } = harness.platform.limits.album ?? { max: 1 };
      expect((await harness.send(aPost({ media: photos(max) }))).kind).toBe("sent");
      expect((await harness.messages()).flatMap(({ media }) => media)).toHaveLength(max);
    });

    // covers autoposting: sendText
    test("a text of exactly the limit", async () => {
      const text = "я".repeat(harness.platform.limits.text);
      expect((await harness.send(aPost({ text }))).kind).toBe("sent");
      expect(await harness.messages()).toMatchObject([{ text }]);
    });

    test.runIf(has("silence"))("a silent post silently", async () => {
      await harness.send(aPost({ text: "тише", options: { silent: true } }));
      expect(await harness.messages()).toMatchObject([{ silent: true }]);
    });
  });

  describe("says what became of a refused post:", () => {
    // covers autoposting: Adapter contract; Error classification defaults
    test.each([
      [400, "PERMANENT", "delivery", `${name}_bad_request`],
      [401, "PERMANENT", "channel", "unauthorized"],
      [403, "PERMANENT", "channel", "channel_unavailable"],
      [404, "PERMANENT", "channel", "channel_unavailable"],
      [429, "TRANSIENT", "platform", "rate_limited"],
      [500, "TRANSIENT", "platform", "upstream_unavailable"],
      [503, "TRANSIENT", "platform", "upstream_unavailable"],
    ])("%i is %s, scope %s, code %s", async (status, category, scope, code) => {
      await harness.fault({ kind: "status", status });
      const outcome = await harness.send(aPost({ text: "а" }));
      const isInDoubt = status >= 500 && preparation.serverErrors === "in_doubt";
      expect(outcome).toMatchObject(
        isInDoubt
          ? { kind: "unknown", error: { category, scope, code: "outcome_unknown" } }
          : { kind: "failed", error: { category, scope, code } },
      );
      expect(await harness.messages()).toEqual([]);
      expect((await harness.send(aPost({ text: "б" }))).kind).toBe("sent");
    });

    // covers autoposting: Adapter contract; Retry policy
    test.runIf(has("waits"))("a wait that the provider names is kept to the millisecond", async () => {
      await harness.fault({ kind: "status", status: 429, retryAfter: 7 });
      expect(await harness.send(aPost({ text: "а" }))).toMatchObject({
        error: { code: "rate_limited", retryAfterMs: 7000 },
      });
    });

    // covers networks: The contract over every platform
    test("a wrong credential is the channel's fault, and no word of it is repeated", async () => {
      const { wrongCredential: credential } = harness.preparation;
      const outcome = await harness.send(aPost({ text: "а" }), { credential });
      expect(outcome).toMatchObject({ kind: "failed", error: { category: "PERMANENT", scope: "channel" } });
      const { fields } = definitions.find((each) => each.name === name)?.credential ?? { fields: {} };
      for (const [field, secret] of Object.entries(credential))
        if (!fields[field]?.open) expect(JSON.stringify(outcome)).not.toContain(secret);
    });

    test("a channel that is not there is the channel's fault", async () => {
      const channel = { ...harness.channel, targetId: harness.preparation.absentTarget };
      expect(await harness.send(aPost({ text: "а" }), { channel })).toMatchObject({
        kind: "failed",
        error: { category: "PERMANENT", scope: "channel", code: "channel_unavailable" },
      });
    });
  });

  describe("knows when nobody knows:", () => {
    test.each([
      ["the answer never comes", { kind: "hang" }, 0],
      ["the connection is cut before the work", { kind: "drop_before" }, 0],
      ["the connection is cut after the work", { kind: "drop_after" }, 1],
      ["the answer cannot be read", { kind: "malformed" }, 1],
    ] as const)("%s", async (_, fault, arrived) => {
      await harness.fault(fault);
      const { http } = harness.context();
      const impatient: HttpClient = { request: (request) => http.request({ ...request, timeoutMs: 1_000 }) };
      const outcome = await harness.send(aPost({ text: "а" }), { http: impatient });
      expect(outcome).toMatchObject({
        kind: "unknown",
        error: { category: "TRANSIENT", code: "outcome_unknown" },
      });
      expect(await harness.messages()).toHaveLength(arrived);
    });

    test("a request that certainly did not leave is a clean failure", async () => {
      const gone = await openHarness(name);
      await gone.close();
      const { http } = harness.context();
      expect(await gone.send(aPost({ text: "а" }), { http })).toMatchObject({
        kind: "failed",
        error: { category: "TRANSIENT", scope: "platform", code: "upstream_unreachable" },
      });
    });
  });

  describe.runIf(carries(preparation, "series"))("in a series", () => {
    const series = aPost({
      text: "Серия",
      media: [
        { kind: "photo", blobRef: "p" },
        { kind: "document", blobRef: "d" },
        { kind: "audio", blobRef: "a" },
      ],
    });
    const shown = async () => (await harness.messages()).map(({ media }) => media[0]?.kind);

    test("each request waits for its turn, uploads too, but not the first", async () => {
      let turns = 0;
      const turn = async () => {
        turns += 1;
      };
      expect((await harness.send(series, { turn })).kind).toBe("sent");
      expect(turns).toBe((harness.preparation.requestsOfSeries ?? 0) - 1);
      expect(await shown()).toEqual(["photo", "document", "audio"]);
    });

    // covers autoposting: sendMedia; Point 28
    test("a failure in the middle keeps what arrived, and a retry sends only the tail", async () => {
      const stored: string[] = [];
      const progress = trackProgress([], async (index, id) => {
        stored[index] = id;
        await harness.fault(
          { kind: "status", status: 503 },
          { method: harness.preparation.methods.secondPart ?? "" },
        );
      });
      expect(await harness.send(series, { progress })).toMatchObject({
        kind: "failed",
        error: { category: "TRANSIENT" },
      });
      expect(await shown()).toEqual(["photo"]);
      expect(stored).toHaveLength(1);

      const outcome = await harness.send(series, { progress: trackProgress(stored, async () => {}) });
      expect(outcome).toMatchObject({ kind: "sent", providerMessageId: stored[0] });
      expect(await shown()).toEqual(["photo", "document", "audio"]);
    });

    test("a part that arrived but could not be recorded leaves the outcome unknown", async () => {
      const progress = trackProgress([], async () => {
        throw new Error("the database is away");
      });
      expect(await harness.send(series, { progress })).toMatchObject({
        kind: "unknown",
        error: { code: "outcome_unknown", message: expect.stringContaining("the database is away") },
      });
    });

    test("what was sent whole is not sent again", async () => {
      const outcome = await harness.send(series, {
        progress: trackProgress(["1", "2", "3"], async () => {}),
      });
      expect(outcome).toMatchObject({ kind: "sent", providerMessageId: "1" });
      expect(await harness.messages()).toEqual([]);
    });
  });

  describe("media", () => {
    const post = aPost({ media: [{ kind: "photo", blobRef: "gone" }] });

    // covers autoposting: sendMedia; Table: media_blobs; Error classification defaults
    test("that cannot be had end the attempt, naming which and whether it is for good", async () => {
      const message = "is not to be had";
      const lost = sampleMedia({ fault: { category: "PERMANENT", code: "media_missing_origin", message } });
      expect(await harness.send(post, { media: lost })).toMatchObject({
        kind: "failed",
        error: {
          category: "PERMANENT",
          scope: "delivery",
          code: "media_missing_origin",
          message: "media 1 is not to be had",
          raw: { index: 0 },
        },
      });
      const away = sampleMedia({ fault: { category: "TRANSIENT", code: "media_unavailable", message } });
      expect(await harness.send(post, { media: away })).toMatchObject({
        kind: "failed",
        error: { category: "TRANSIENT", scope: "delivery", code: "media_unavailable" },
      });
      expect(await harness.messages()).toEqual([]);
    });

    // covers autoposting: sendMedia; Table: media_blobs
    test.runIf(has("references"))(
      "uploaded once are sent again by the provider's own reference",
      async () => {
        const media = sampleMedia();
        expect((await harness.send(post, { media })).kind).toBe("sent");
        expect((await harness.send(post, { media, idempotencyKey: "delivery-2" })).kind).toBe("sent");
        expect(media.lentToUpload).toHaveLength(1);
        expect(await harness.messages()).toHaveLength(2);
      },
    );

    // covers autoposting: Point 41
    test.runIf(has("references"))(
      "whose reference the provider no longer takes are uploaded again within the same attempt",
      async () => {
        const media = sampleMedia();
        await harness.send(post, { media });
        const [name = ""] = media.references.keys();
        media.references.set(name, "lapsed");
        expect((await harness.send(post, { media })).kind).toBe("sent");
        expect(media.lentToUpload).toHaveLength(2);
        expect(media.references.get(name)).not.toBe("lapsed");
        expect(await harness.messages()).toHaveLength(2);
      },
    );

    const meanwhile =
      "that another post uploaded meanwhile cost a new turn, because the wait may have been long";
    test.runIf(has("references"))(meanwhile, async () => {
      const media = sampleMedia({ waited: true });
      await harness.send(post, { media });
      let turns = 0;
      const turn = async () => {
        turns += 1;
      };
      expect((await harness.send(post, { media, turn })).kind).toBe("sent");
      expect(turns).toBe(1);
    });

    test.each([
      ["the answer never comes", { kind: "hang" }, 0],
      ["the connection is cut after the work", { kind: "drop_after" }, 1],
      ["the answer cannot be read", { kind: "malformed" }, 1],
    ] as const)("whose fate is unknown when %s", async (_, fault, arrived) => {
      await harness.fault(fault, { method: harness.preparation.methods.photo });
      const { http } = harness.context();
      const impatient: HttpClient = { request: (request) => http.request({ ...request, timeoutMs: 1_000 }) };
      expect(await harness.send(post, { http: impatient })).toMatchObject({
        kind: "unknown",
        error: { category: "TRANSIENT", code: "outcome_unknown" },
      });
      expect(await harness.messages()).toHaveLength(arrived);
    });

    test("that the provider refuses are not offered for ever", async () => {
      const media = sampleMedia({ files: { photo: aFile(Buffer.from("no picture"), "image/png", "x.png") } });
      const outcome = await harness.send(post, { media });
      expect(outcome).toMatchObject({ kind: "failed", error: { category: "PERMANENT", scope: "delivery" } });
      expect(media.lentToUpload).toHaveLength(1);
    });
  });

  describe("looks whether it may post:", () => {
    test("an account that may is told so", async () => {
      expect(await harness.platform.check(harness.context())).toMatchObject({ ok: true });
    });

    test.each(preparation.troubles)("$name", async ({ credential, targetId, control, step, finding }) => {
      if (control) await harness.control(control.method, control.path, control.body);
      const channel = { ...harness.channel, ...(targetId && { targetId }) };
      const asking = harness.context({ channel, ...(credential && { credential }) });
      const checked = await harness.platform.check(asking);
      expect(checked.ok).toBe(false);
      expect(checked.steps.at(-1)).toMatchObject({ step, finding });
      expect(await harness.messages()).toEqual([]);
    });
  });

  describe.runIf(createPlatforms({}, {}, definitions).platformOf(name).find)("reads back", () => {
    const post = aPost({ text: "Один раз" });
    const look = async () => harness.platform.find?.(harness.compile(post), harness.context());

    // covers networks: The contract over every platform
    test("what arrived without an answer, and what did not", async () => {
      expect(await look()).toEqual({ kind: "absent" });
      await harness.fault({ kind: "drop_after" });
      expect((await harness.send(post)).kind).toBe("unknown");
      const [message] = await harness.messages();
      expect(await look()).toMatchObject({ kind: "found", providerMessageId: message?.id });
    });

    test("nothing from a provider that does not answer", async () => {
      const nobody: HttpClient = {
        request: async () => ({
          kind: "failure",
          reason: "timeout",
          mayHaveArrived: true,
          message: "no answer",
        }),
      };
      const found = await harness.platform.find?.(harness.compile(post), harness.context({ http: nobody }));
      expect(found).toMatchObject({ kind: "unavailable", error: { category: "TRANSIENT" } });
    });
  });

  describe("has a credential", () => {
    const definition = definitions.find((each) => each.name === name);
    if (!definition) throw new Error(`${name} is not defined`);

    test("whose fields its definition takes, keeps and reads back", () => {
      const checked = checkCredential(definition.credential, preparation.credential);
      expect(checked).toEqual({ ok: true, credential: preparation.credential });
      const text = credentialText(definition.credential, preparation.credential);
      expect(readCredential(definition.credential, text)).toEqual(checked);
    });

    test("of which a missing or an unknown field is named, and no value repeated", () => {
      const [first = ""] = Object.keys(definition.credential.fields);
      const checked = checkCredential(definition.credential, { [first]: "", surplus: "very-secret" });
      expect(checked).toMatchObject({
        ok: false,
        faults: expect.arrayContaining([
          { field: first, message: "is missing" },
          { field: "surplus", message: expect.stringContaining("is not known") },
        ]),
      });
      expect(JSON.stringify(checked)).not.toContain("very-secret");
    });

    test.runIf(definition.credential.expiresAt)(
      "that is renewed before it ends, and not by an old key",
      async () => {
        const { credential } = harness.preparation;
        const { http, clock } = harness.context();
        const renewed = await harness.platform.refresh?.(credential, { http, clock });
        if (renewed?.kind !== "refreshed") throw new Error("it was not refreshed");
        const next = { ...credential, ...renewed.credential };
        expect(definition.credential.expiresAt?.(next)?.getTime()).toBeGreaterThan(clock.now().getTime());
        expect((await harness.send(aPost({ text: "а" }), { credential: next })).kind).toBe("sent");
        const again = await harness.platform.refresh?.(credential, { http, clock });
        expect(again).toMatchObject({
          kind: "failed",
          error: { category: "PERMANENT", code: "unauthorized" },
        });
        for (const [field, secret] of Object.entries(credential))
          if (!definition.credential.fields[field]?.open) expect(JSON.stringify(again)).not.toContain(secret);
      },
    );
  });
});

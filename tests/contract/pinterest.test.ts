import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Post } from "../../src/content/index.ts";
import type { HttpClient } from "../../src/kernel/outbound/index.ts";
import {
  type ChannelProfile,
  type Compiled,
  createPlatforms,
  type Posted,
  type SendContext,
} from "../../src/platforms/index.ts";
import { type Harness, openHarness } from "./harness.ts";
import { app, credential, world } from "./pinterest/preparation.ts";
import { aPost, photos } from "./posts.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await openHarness("pinterest");
});
beforeEach(() => harness.reset());
afterAll(() => harness.close());

const article = { title: "Как заварить улун", categories: [], tags: [], jsonLd: [] };
const original = "https://a.ru/ulun";

function compiledIn(post: Post, settings: ChannelProfile["settings"] = {}): Compiled {
  const result = harness.platform.compile(post, { ...harness.channel, settings });
  if (!result.ok) throw new Error(result.error.message);
  return result.compiled;
}

const bodyOf = (post: Post) => compiledIn(post).requests[0]?.body;
const codesOf = ({ losses }: Compiled) => losses.map(({ code }) => code);
const withPicture = (given: Parameters<typeof aPost>[0] = {}) => aPost({ media: photos(1), ...given });
const at = (targetId: string) => harness.context({ channel: { ...harness.channel, targetId } });

describe("a Pin", () => {
  test("is refused without a picture, and with a file of another kind", () => {
    const refusal = (post: Post) => harness.platform.compile(post, harness.channel);
    expect(refusal(aPost({ text: "а" }))).toMatchObject({
      ok: false,
      error: { code: "validation_failed", message: expect.stringContaining("no picture") },
    });
    for (const kind of ["video", "animation", "audio", "document"] as const)
      expect(refusal(withPicture({ media: [...photos(1), { kind, blobRef: "f" }] }))).toMatchObject({
        ok: false,
        error: { message: expect.stringContaining(`media 2 is of the kind ${kind}`) },
      });
  });

  test("takes a bold line for its title where more follows, and no other line", () => {
    const inHtml = (text: string) => bodyOf(withPicture({ text, format: "html" }));
    expect(inHtml("<b>Сырники</b>\n\nТворог и яйцо.")).toEqual({
      title: "Сырники",
      description: "Творог и яйцо.",
    });
    expect(inHtml("<b>Сырники</b>")).toEqual({ description: "Сырники" });
    expect(inHtml("<b>Сырники</b> без муки\n\nТворог.")).toEqual({
      description: "Сырники без муки\n\nТворог.",
    });
    const long = `<h2>${"я".repeat(101)}</h2><p>б</p>`;
    expect(inHtml(long)).toEqual({ description: `${"я".repeat(101)}\n\nб` });
  });

  // covers networks: Pinterest: a Pin
  test("takes a heading for its title, and the picture's alt text and caption", async () => {
    const caption = { blocks: [{ type: "paragraph", children: [{ type: "text", text: "Утро" }] }] } as const;
    const post = aPost({
      text: "<h2>Осенний чай</h2><p>Три сбора.</p>",
      format: "html",
      media: [{ kind: "photo", blobRef: "p", alt: "Чашка у окна", caption }],
    });
    expect(bodyOf(post)).toEqual({
      title: "Осенний чай",
      description: "Три сбора.\n\nУтро",
      alt_text: "Чашка у окна",
    });
    expect((await harness.send(post)).kind).toBe("sent");
    expect(await harness.messages()).toMatchObject([{ text: "Осенний чай\nТри сбора.\n\nУтро" }]);
  });

  const leads: readonly [what: string, given: Parameters<typeof aPost>[0], link: string][] = [
    ["the original of an article", { article: { ...article, canonicalUrl: original } }, original],
    [
      "the link that the post names",
      { options: { linkPreview: { url: "https://a.ru/n" } } },
      "https://a.ru/n",
    ],
    ["its first button", { buttons: [[{ text: "Купить", url: "https://a.ru/buy" }]] }, "https://a.ru/buy"],
    [
      "its first link",
      { text: 'Чай: <a href="mailto:a@b.ru">почта</a>, <a href="https://a.ru/tea">тут</a>', format: "html" },
      "https://a.ru/tea",
    ],
    ["the first address of its text", { text: "Чай (https://a.ru/tea)." }, "https://a.ru/tea"],
    [
      "an address in Cyrillic as browsers send it",
      { text: "https://чай.рф/улун" },
      "https://xn--80as4b.xn--p1ai/%D1%83%D0%BB%D1%83%D0%BD",
    ],
  ];
  test.each(leads)("leads to %s", (_, given, link) => {
    expect(bodyOf(withPicture({ text: "Чай", ...given }))?.link).toBe(link);
  });

  test("does not repeat where it leads, and says where other links do", () => {
    const text = '<a href="https://a.ru/1">Каталог</a> и <a href="https://a.ru/2">карта</a>';
    const buttons = [
      [{ text: "Купить", url: "https://a.ru/1" }],
      [{ text: "Позвонить", url: "https://a.ru/3" }],
    ];
    const compiled = compiledIn(withPicture({ text, format: "html", buttons }));
    expect(compiled.plainText).toBe("Каталог и карта (https://a.ru/2)\n\nПозвонить: https://a.ru/3");
    expect(codesOf(compiled)).toEqual(["link_as_text", "buttons_as_text", "button_as_link"]);
  });

  test("with a link that is too long is refused", () => {
    const linkPreview = { url: `https://a.ru/${"x".repeat(2048)}` };
    expect(
      harness.platform.compile(withPicture({ text: "а", options: { linkPreview } }), harness.channel),
    ).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining("the link has") },
    });
  });

  test("shows the first of several pictures and says so", () => {
    const compiled = compiledIn(aPost({ text: "а", media: photos(3) }));
    expect(compiled.requests).toMatchObject([{ media: [{ blobRef: "photo-0" }] }]);
    expect(codesOf(compiled)).toEqual(["pictures_beyond"]);
  });

  test("tells what a board does not have", () => {
    const options = { protected: true, topicId: "1", replyTo: "2", linkPreview: { size: "large" } } as const;
    expect(codesOf(compiledIn(withPicture({ text: "а", options })))).toEqual([
      "preview_settings",
      "not_protected",
      "no_topic",
      "no_reply",
    ]);
  });

  test("is previewed as it goes over the wire", () => {
    const [request] = compiledIn(withPicture({ text: "Чай", article })).requests;
    expect(
      request && harness.platform.preview(request, { ...harness.channel, targetId: "@shop/tea" }),
    ).toMatchObject({
      http: {
        path: "/v5/pins",
        body: {
          board_id: "<number of shop/tea>",
          title: article.title,
          media_source: { source_type: "image_base64", data: "<photo photo-0>" },
        },
      },
      shown: {
        text: `${article.title}\nЧай`,
        marks: [{ kind: { type: "bold" }, length: article.title.length }],
      },
    });
  });
});

describe("an article", () => {
  const long = `${"Воду берут мягкую. ".repeat(10).trim()}\n\n`.repeat(10);

  test("that does not fit is what its author says of it in short", () => {
    const description = "Вода, посуда и пять минут.";
    const compiled = compiledIn(withPicture({ text: long, article: { ...article, description } }));
    expect(compiled.plainText).toBe(`${article.title}\n${description}`);
    expect(codesOf(compiled)).toEqual(["text_shortened"]);
  });

  // covers networks: Pinterest: a Pin; Articles elsewhere are shortened or refused
  test("without such words is cut between sentences, and its cover is the picture", async () => {
    const post = aPost({
      text: long,
      media: photos(2),
      article: { ...article, cover: 1, canonicalUrl: original },
    });
    const compiled = compiledIn(post);
    expect(String(compiled.requests[0]?.body.description)).toMatch(/^Воду.*мягкую\.…$/s);
    expect(String(compiled.requests[0]?.body.description).length).toBeLessThanOrEqual(500);
    expect(compiled.requests[0]?.media).toMatchObject([{ blobRef: "photo-1" }]);
    expect((await harness.send(post)).kind).toBe("sent");
    expect(await harness.messages()).toMatchObject([{ linkPreview: { url: original } }]);
  });

  test("has its title cut to a hundred, with the loss", () => {
    const compiled = compiledIn(
      withPicture({ text: "а", article: { ...article, title: "Чай ".repeat(60).trim() } }),
    );
    expect(String(compiled.requests[0]?.body.title).length).toBeLessThanOrEqual(100);
    expect(codesOf(compiled)).toEqual(["text_shortened"]);
  });

  // covers networks: Articles elsewhere are shortened or refused
  test("is refused where the channel says so", () => {
    const channel = { ...harness.channel, settings: { articles: "refuse" } };
    expect(harness.platform.compile(withPicture({ text: "а", article }), channel)).toMatchObject({
      ok: false,
      error: { code: "validation_failed" },
    });
  });
});

describe("what Pinterest refuses, by its meaning:", () => {
  const trial = "Apps with Trial access may not create Pins in production";
  // covers networks: Pinterest: each refusal by its meaning
  test.each([
    ["a bad request", 400, 1, "Invalid request: odd", "delivery", "pinterest_bad_request"],
    ["a link", 400, 1, "Whoops! It looks like you entered an invalid URL.", "delivery", "link_refused"],
    [
      "a picture that cannot be fetched",
      400,
      235,
      "Sorry we could not fetch the image.",
      "delivery",
      "media_rejected",
    ],
    ["a picture's format", 400, 236, "odd", "delivery", "media_rejected"],
    ["a board's number", 400, 1, "'board_id' value 'x' must match", "channel", "channel_unavailable"],
    ["a token", 401, 2, "Authentication failed.", "channel", "unauthorized"],
    ["a scope", 401, 3, "Your token does not have sufficient permissions", "channel", "permission_missing"],
    ["a trial app", 403, 29, trial, "channel", "trial_access"],
    ["a board of others", 403, 29, "You are not permitted", "channel", "channel_unavailable"],
    ["an account that was stopped", 403, 2625, "odd", "channel", "account_restricted"],
    ["an account under review", 403, 2626, "odd", "channel", "account_restricted"],
    ["a board that is gone", 404, 40, "Board not found.", "channel", "channel_unavailable"],
    ["too large a request", 413, 1, "odd", "delivery", "media_too_large"],
  ])("%s", async (_, status, code, description, scope, meaning) => {
    await harness.fault({ kind: "status", status, code, description });
    expect(await harness.send(aPost({ text: "а" }))).toMatchObject({
      kind: "failed",
      error: { category: "PERMANENT", scope, code: meaning, message: description },
    });
    expect(await harness.messages()).toEqual([]);
  });

  // covers networks: Pinterest: each refusal by its meaning
  test("by itself: a trial app outside the sandbox, which takes it", async () => {
    await harness.control("POST", "/pinterest/apps", { ...app, access: "trial" });
    expect(await harness.send(aPost({ text: "а" }))).toMatchObject({ error: { code: "trial_access" } });
    const { platformOf } = createPlatforms({ PINTEREST_API_ROOT: `${harness.twinsUrl}/pinterest/sandbox` });
    const compiled = compiledIn(withPicture({ text: "а" }));
    expect(await platformOf("pinterest").send(compiled, harness.context())).toMatchObject({ kind: "sent" });
  });

  // covers networks: Pinterest: each refusal by its meaning
  test("a link that is flagged or shortened is this post's fault", async () => {
    await harness.control("PATCH", "/pinterest/options", { flagged_hosts: ["spam.ru"] });
    for (const text of ["https://bit.ly/a", "https://www.spam.ru/a"])
      expect(await harness.send(aPost({ text }))).toMatchObject({
        error: { scope: "delivery", code: "link_refused" },
      });
  });

  // covers networks: Pinterest: each refusal by its meaning
  test("a rate is waited for as long as it says", async () => {
    await harness.control("PATCH", "/options", { rate_limits: true });
    for (let count = 0; count < 100; count += 1)
      await fetch(`${harness.twinsUrl}/pinterest/v5/pins/1`, {
        method: "DELETE",
        headers: { authorization: `Bearer ${credential.access_token}` },
      });
    const outcome = await harness.send(aPost({ text: "а" }));
    expect(outcome).toMatchObject({
      kind: "failed",
      error: { category: "TRANSIENT", scope: "platform", code: "rate_limited" },
    });
    if (outcome.kind !== "failed") throw new Error("it was not refused");
    expect(outcome.error.retryAfterMs).toBeGreaterThan(0);
    expect(outcome.error.retryAfterMs).toBeLessThanOrEqual(60_000);
    await harness.control("PATCH", "/options", { rate_limits: false });
  });
});

describe("boards to choose from", () => {
  const ask = () => ({ http: harness.context().http, clock: harness.context().clock });

  test("are those of the account, beyond a page of them", async () => {
    for (let number = 1; number <= 260; number += 1)
      await harness.control("POST", "/pinterest/boards", { username: "shop", name: `Доска ${number}` });
    const listed = await harness.platform.places?.(credential, ask());
    if (listed?.kind !== "listed") throw new Error("they were not listed");
    expect(listed.places).toHaveLength(261);
    expect(listed.places[0]).toEqual({ targetId: world.board, title: "Осенний чай", members: 0 });
  });

  test("are none for a token that is refused, and no word of it is repeated", async () => {
    const wrong = { ...credential, access_token: "pina_nobodys-token" };
    const listed = await harness.platform.places?.(wrong, ask());
    expect(listed).toMatchObject({ kind: "unavailable", error: { code: "unauthorized" } });
    expect(JSON.stringify(listed)).not.toContain(wrong.access_token);
  });
});

describe("a board by its link", () => {
  test("is found with its number and name, or is not there", async () => {
    for (const name of ["осенний-чай", "%D0%BE%D1%81%D0%B5%D0%BD%D0%BD%D0%B8%D0%B9-%D1%87%D0%B0%D0%B9"])
      expect(await harness.platform.resolve?.(at(`@shop/${name}`))).toEqual({
        kind: "found",
        name: `@shop/${name}`,
        targetId: world.board,
        title: "Осенний чай",
      });
    expect(await harness.platform.resolve?.(at("@shop/зимний-чай"))).toEqual({ kind: "absent" });
    expect(await harness.platform.resolve?.(at("@rival/осенний-чай"))).toEqual({ kind: "absent" });
    expect(await harness.platform.resolve?.(at(world.board))).toBeUndefined();
    await harness.fault({ kind: "status", status: 503 }, { method: "GET /boards" });
    expect(await harness.platform.resolve?.(at("@shop/осенний-чай"))).toEqual({ kind: "unavailable" });
  });

  test("is pinned to before anybody has found it; that nobody answers about it leaves no doubt", async () => {
    const compiled = compiledIn(withPicture({ text: "а" }));
    await harness.fault({ kind: "drop_after" }, { method: "GET /boards" });
    expect(await harness.platform.send(compiled, at("@shop/осенний-чай"))).toMatchObject({
      kind: "failed",
      error: { category: "TRANSIENT", code: "upstream_unavailable" },
    });
    expect(await harness.platform.send(compiled, at("@shop/осенний-чай"))).toMatchObject({ kind: "sent" });
    expect(await harness.platform.send(compiled, at("@shop/nothing"))).toMatchObject({
      kind: "failed",
      error: { scope: "channel", code: "channel_unavailable" },
    });
    expect(await harness.messages()).toHaveLength(1);
  });
});

describe("a process that dies", () => {
  const post = withPicture({ text: "Один раз", article: { ...article, canonicalUrl: original } });
  const find = (change: Partial<SendContext> = {}) =>
    harness.platform.find?.(compiledIn(post), harness.context(change));

  test("before the Pin has made nothing, and the next attempt makes it", async () => {
    const { http } = harness.context();
    const dying: HttpClient = {
      request: (request) => {
        if (request.url.endsWith("/pins")) throw new Error("the process died");
        return http.request(request);
      },
    };
    await expect(harness.send(post, { http: dying })).rejects.toThrow("died");
    expect(await find()).toEqual({ kind: "absent" });
    expect((await harness.send(post)).kind).toBe("sent");
    expect(await harness.messages()).toHaveLength(1);
  });

  // covers networks: Pinterest: once by reading the board
  test("between Pin and answer is found on the board, and nothing stands there twice", async () => {
    await harness.fault({ kind: "drop_after" });
    expect((await harness.send(post)).kind).toBe("unknown");
    const [pin] = await harness.messages();
    expect(await find()).toMatchObject({
      kind: "found",
      providerMessageId: pin?.id,
      url: `https://www.pinterest.com/pin/${pin?.id}/`,
    });
    expect(await harness.messages()).toHaveLength(1);
  });

  // covers networks: Pinterest: once by reading the board
  test.each([500, 502, 503, 504])(
    "is in doubt after a server error (%i), which may come when the Pin stands there",
    async (status) => {
      const { http } = harness.context();
      const broken: HttpClient = {
        request: async (request) => {
          const answer = await http.request(request);
          const isPin = request.method === "POST" && request.url.endsWith("/pins");
          if (!isPin || answer.kind === "failure") return answer;
          return { ...answer, status, body: new TextEncoder().encode('{"code":11,"message":"Oops"}') };
        },
      };
      expect(await harness.send(post, { http: broken })).toMatchObject({
        kind: "unknown",
        error: { category: "TRANSIENT", scope: "platform", code: "outcome_unknown" },
      });
      const [pin] = await harness.messages();
      expect(await find()).toMatchObject({ kind: "found", providerMessageId: pin?.id });
    },
  );

  test("takes neither another delivery's Pin nor an older one for its own", async () => {
    await harness.send(post);
    expect(await find({ taken: async (ids) => new Set(ids) })).toEqual({ kind: "absent" });
    expect(await find({ since: new Date(Date.now() + 60_000) })).toEqual({ kind: "absent" });
  });

  test("knows its Pin among equal words by where it leads, and a bare picture not at all", async () => {
    const other = withPicture({ text: "Один раз", article: { ...article, canonicalUrl: `${original}-2` } });
    await harness.send(other);
    await harness.send(post);
    const [, own] = await harness.messages();
    expect(await find()).toMatchObject({ kind: "found", providerMessageId: own?.id });

    await harness.reset();
    const bare = aPost({ media: photos(1) });
    expect((await harness.send(bare)).kind).toBe("sent");
    expect(await harness.platform.find?.(compiledIn(bare), harness.context())).toMatchObject({
      kind: "unavailable",
      error: { code: "cannot_look_up" },
    });
  });

  test("looks past a full page", async () => {
    await harness.send(post);
    for (let number = 1; number <= 255; number += 1) await harness.send(aPost({ text: `новое ${number}` }));
    const messages = await harness.messages();
    expect(await find()).toMatchObject({ kind: "found", providerMessageId: messages[0]?.id });
  });

  test("is told when the board cannot be read", async () => {
    await harness.fault({ kind: "status", status: 503 }, { method: "GET /boards/{board_id}/pins" });
    expect(await find()).toMatchObject({ kind: "unavailable", error: { category: "TRANSIENT" } });
  });
});

describe("tokens", () => {
  const ask = () => ({ http: harness.context().http, clock: harness.context().clock });

  test("are renewed a day before they end, and both are new", async () => {
    const renewed = await harness.platform.refresh?.(credential, ask());
    if (renewed?.kind !== "refreshed") throw new Error("they were not renewed");
    const { access_token, refresh_token, expires_at, refresh_expires_at } = renewed.credential;
    expect(access_token).not.toBe(credential.access_token);
    expect(refresh_token).not.toBe(credential.refresh_token);
    const days = (text = "") => Math.round((Date.parse(text) - Date.now()) / 86_400_000);
    expect([days(expires_at), days(refresh_expires_at)]).toEqual([30, 60]);
  });

  test("that cannot be renewed now are asked for later; those that were revoked are to be given again", async () => {
    const refresh = () => harness.platform.refresh?.(credential, ask());
    for (const fault of [{ kind: "status", status: 503 }, { kind: "drop_before" }] as const) {
      await harness.fault(fault, { method: "POST /oauth/token" });
      expect(await refresh()).toMatchObject({ kind: "failed", error: { category: "TRANSIENT" } });
    }
    await harness.control("POST", "/pinterest/revoke", { access_token: credential.access_token });
    expect(await refresh()).toMatchObject({
      kind: "failed",
      error: { category: "PERMANENT", scope: "channel", code: "unauthorized" },
    });
  });

  test("are not renewed by a server without an app, which says what to set", async () => {
    const { platformOf } = createPlatforms({ PINTEREST_API_ROOT: `${harness.twinsUrl}/pinterest` });
    expect(await platformOf("pinterest").refresh?.(credential, ask())).toMatchObject({
      kind: "failed",
      error: { category: "TRANSIENT", message: expect.stringContaining("PINTEREST_APP_SECRET") },
    });
  });
});

describe("corrections", () => {
  const beta = () => harness.control("POST", "/pinterest/apps", { ...app, beta: true });
  const posted = async (post: Post): Promise<Posted> => {
    const outcome = await harness.send(post);
    if (outcome.kind !== "sent") throw new Error(outcome.error.message);
    return {
      compiled: compiledIn(post),
      providerMessageIds: [outcome.providerMessageId],
      sentAt: new Date(),
    };
  };
  const edit = (next: Post, old: Posted, change: Partial<SendContext> = {}) =>
    harness.platform.edit?.(compiledIn(next), old, harness.context(change));
  const remove = (old: Posted, change: Partial<SendContext> = {}) =>
    harness.platform.remove?.(old, harness.context(change));

  test("replace title, description and link by an app of the beta; what is left out is emptied", async () => {
    await beta();
    const old = await posted(withPicture({ text: "Цена 100, https://a.ru", article }));
    await harness.fault({ kind: "drop_after" }, { method: "PATCH /pins/{pin_id}" });
    expect(await edit(withPicture({ text: "Цена 200" }), old)).toMatchObject({ kind: "unknown" });
    expect(await edit(withPicture({ text: "Цена 200" }), old)).toMatchObject({ kind: "sent" });
    const [pin] = await harness.messages();
    expect(pin).toMatchObject({ text: "Цена 200" });
    expect(pin).not.toHaveProperty("linkPreview");
  });

  test("are refused by Pinterest for other apps, and the channel goes on", async () => {
    const old = await posted(withPicture({ text: "Цена 100" }));
    expect(await edit(withPicture({ text: "Цена 200" }), old)).toMatchObject({
      kind: "failed",
      error: {
        category: "PERMANENT",
        scope: "delivery",
        code: "edit_not_allowed",
        message: expect.stringContaining("beta"),
      },
    });
    expect(await harness.messages()).toMatchObject([{ text: "Цена 100" }]);
  });

  test("of the picture are refused beforehand, with the reason; so are those of a Pin that nobody knows", async () => {
    const old = await posted(withPicture({ text: "а" }));
    const { corrections } = harness.platform;
    const other = compiledIn(aPost({ text: "а", media: [{ kind: "photo", blobRef: "other" }] }));
    expect(corrections?.editRefusal(old, other, new Date())).toMatchObject({ code: "picture_fixed" });
    expect(corrections?.editRefusal(old, compiledIn(withPicture({ text: "б" })), new Date())).toBeUndefined();
    const unknown = { ...old, providerMessageIds: [] };
    expect(corrections?.editRefusal(unknown, old.compiled, new Date())).toMatchObject({
      code: "message_ids_unknown",
    });
    expect(corrections?.removeRefusal(unknown, new Date())).toMatchObject({ code: "message_ids_unknown" });
    expect(corrections?.removeRefusal(old, new Date())).toBeUndefined();
  });

  test("take a Pin back, and one that is gone counts as taken back", async () => {
    const old = await posted(withPicture({ text: "Ошибка" }));
    await harness.fault({ kind: "drop_after" }, { method: "DELETE /pins/{pin_id}" });
    expect(await remove(old)).toMatchObject({ kind: "unknown" });
    expect(await harness.messages()).toEqual([]);
    expect(await remove(old)).toMatchObject({ kind: "sent" });
  });

  test("of a Pin that is gone or another's are this delivery's fault", async () => {
    await beta();
    const old = await posted(withPicture({ text: "а" }));
    const rivals = await harness.control("POST", "/pinterest/tokens", {
      client_id: app.client_id,
      username: "rival",
    });
    const change = { credential: { ...credential, access_token: rivals.access_token } };
    expect(await remove(old, change)).toMatchObject({
      kind: "failed",
      error: { scope: "delivery", code: "post_unavailable" },
    });
    await remove(old);
    expect(await edit(withPicture({ text: "б" }), old)).toMatchObject({
      kind: "failed",
      error: { scope: "delivery", code: "post_unavailable" },
    });
  });
});

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { testClock } from "../shared/testing.ts";
import { basic, password, pngOf, startTestWordPress, type TestWordPress } from "./testing.ts";

const clock = testClock();
let site: TestWordPress;
beforeEach(async () => {
  site = await startTestWordPress({ clock });
});
afterEach(() => site.close());

const code = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code];

describe("who calls", () => {
  const me = (authorization: string) =>
    fetch(`${site.home}/wp-json/wp/v2/users/me?context=edit`, { headers: { authorization } }).then(
      async (response) => [
        response.status,
        ((await response.json()) as { code?: string; username?: string }).code ?? "ok",
      ],
    );

  test("an application password signs in with and without its spaces, by login and by e-mail", async () => {
    expect(await me(basic("admin"))).toEqual([200, "ok"]);
    expect(await me(basic("admin", password.replaceAll(" ", "")))).toEqual([200, "ok"]);
    expect(await me(basic("admin@example.test"))).toEqual([200, "ok"]);
  });

  // covers networks: Twins: strict, with faults and a journal
  test("wrong credentials are refused by name, on public routes too", async () => {
    expect(await me(basic("admin", "wrong"))).toEqual([401, "incorrect_password"]);
    expect(await me(basic("nobody"))).toEqual([401, "invalid_username"]);
    expect(await me(basic("nobody@example.test"))).toEqual([401, "invalid_email"]);
    const open = await fetch(`${site.home}/wp-json/wp/v2/posts`, {
      headers: { authorization: basic("nobody") },
    });
    expect(open.status).toBe(401);
  });

  test("a plain site takes whoever errs in the password for a stranger", async () => {
    await site.change({ bad_password: "ignored" });
    expect(await me(basic("admin", "wrong"))).toEqual([401, "rest_not_logged_in"]);
    expect(code(await site.api("GET", "posts", undefined, "nobody"))).toEqual([200, undefined]);
  });

  test("application passwords can be off for the site, refused, or off for one person", async () => {
    await site.change({ application_passwords: "off" });
    expect(await me(basic("admin"))).toEqual([401, "rest_not_logged_in"]);
    expect((await site.api("GET", "/wp-json/", undefined, null)).body.authentication).toEqual([]);
    await site.change({ application_passwords: "refused" });
    expect(await me(basic("admin"))).toEqual([401, "application_passwords_disabled"]);
    await site.change({
      application_passwords: "on",
      users: [{ login: "admin", role: "administrator", application_passwords: false }],
    });
    expect(await me(basic("admin"))).toEqual([401, "application_passwords_disabled_for_user"]);
  });

  test("a web server that strips the header makes everybody a stranger", async () => {
    await site.change({ strips_authorization: true });
    expect(code(await site.api("GET", "users/me"))).toEqual([401, "rest_not_logged_in"]);
    expect(code(await site.api("POST", "posts", { title: "x" }))).toEqual([401, "rest_cannot_create"]);
  });
});

describe("where a site is", () => {
  test("the front page names the root of REST, pretty or plain", async () => {
    const link = async () => (await fetch(`${site.home}/`, { method: "HEAD" })).headers.get("link");
    expect(await link()).toBe(`<${site.home}/wp-json/>; rel="https://api.w.org/"`);
    await site.change({ permalinks: "plain" });
    expect(await link()).toBe(`<${site.home}/index.php?rest_route=/>; rel="https://api.w.org/"`);
    expect((await site.api("GET", "/wp-json/")).status).toBe(404);
    expect((await site.api("GET", "/?rest_route=/wp/v2/users/me")).status).toBe(200);
  });

  test("a site may live in a folder of its host", async () => {
    await site.change({ folder: "blog" });
    expect((await site.api("GET", "/wp-json/")).status).toBe(404);
    const { body } = await site.api("GET", "/blog/wp-json/");
    expect(body.home).toBe(`${site.home}/blog`);
  });

  test("a site that has moved sends everybody on, path and all", async () => {
    await site.change({ moved_to: "https://new.example/blog" });
    const { status, headers } = await site.api("POST", "/wp-json/wp/v2/posts?x=1", { title: "x" });
    expect([status, headers.get("location")]).toEqual([
      301,
      "https://new.example/blog/wp-json/wp/v2/posts?x=1",
    ]);
  });

  test.each([
    ["forbidden_html", 403],
    ["not_acceptable_html", 406],
    ["absent", 404],
  ])("REST that is %s answers with a page", async (rest, status) => {
    await site.change({ rest });
    const answer = await site.api("POST", "posts", { title: "x" });
    expect(answer.status).toBe(status);
    expect(answer.headers.get("content-type")).toContain("text/html");
  });

  test("REST may be for members only, or forbidden in JSON", async () => {
    await site.change({ rest: "members" });
    expect(code(await site.api("GET", "posts", undefined, null))).toEqual([401, "rest_not_logged_in"]);
    expect((await site.api("GET", "posts")).status).toBe(200);
    await site.change({ rest: "forbidden" });
    expect(code(await site.api("GET", "posts"))).toEqual([403, "rest_disabled"]);
  });

  test("maintenance answers with a page, with 503 or with 200", async () => {
    await site.change({ maintenance: "page_503" });
    const shut = await site.api("GET", "users/me");
    expect([shut.status, shut.headers.get("retry-after")]).toEqual([503, "600"]);
    await site.change({ maintenance: "page_200" });
    const sly = await site.api("GET", "users/me");
    expect([sly.status, sly.headers.get("content-type")]).toEqual([200, "text/html; charset=UTF-8"]);
  });

  test("messages are in the site's language, codes are not", async () => {
    await site.change({ locale: "ru_RU" });
    const { body } = await site.api("GET", "users/me", undefined, null);
    expect(body).toEqual({
      code: "rest_not_logged_in",
      message: "Вы не авторизованы.",
      data: { status: 401 },
    });
  });
});

describe("plugins", () => {
  test("Rank Math writes what meta does not take, and an empty value removes it", async () => {
    const { body: post } = await site.api("POST", "posts", { title: "x", meta: { rank_math_title: "T" } });
    const update = (meta: unknown) =>
      site.api("POST", "/wp-json/rankmath/v1/updateMeta", { objectType: "post", objectID: post.id, meta });
    expect(code(await update({ rank_math_title: "T" }))).toEqual([404, "rest_no_route"]);
    await site.change({ plugins: ["rankmath"] });
    expect((await update({ rank_math_title: "T", rank_math_description: "D" })).body).toEqual({
      slug: true,
      schemas: [],
    });
    await update({ rank_math_description: "" });
    const { posts } = await site.control<{ posts: { meta: unknown }[] }>(
      "GET",
      "/wordpress/sites/shop/posts",
    );
    expect(posts[0]?.meta).toEqual({ rank_math_title: "T" });
  });

  test("Yoast tells its head and takes only meta that the site has registered", async () => {
    await site.change({ plugins: ["yoast"], registered_meta: ["_yoast_wpseo_title"] });
    const meta = { _yoast_wpseo_title: "Заголовок", _yoast_wpseo_metadesc: "нет" };
    const { body } = await site.api("POST", "posts", {
      title: "x",
      content: "Текст",
      status: "publish",
      meta,
    });
    expect(body.meta).toEqual({ _yoast_wpseo_title: "Заголовок", footnotes: "" });
    expect(body.yoast_head_json).toMatchObject({ title: "Заголовок", description: "Текст" });
    expect((await site.api("GET", "/wp-json/")).body.namespaces).toContain("yoast/v1");
  });
});

describe("uploads", () => {
  test("the web server refuses what is too large with a page", async () => {
    await site.change({ body_max_bytes: 20 });
    const { status, headers } = await site.upload(pngOf(2, 2), "a.png");
    expect([status, headers.get("content-type")]).toEqual([413, "text/html; charset=UTF-8"]);
  });

  test("a site may allow fewer types than WordPress does", async () => {
    await site.change({ mime_types: { jpg: "image/jpeg" } });
    expect(code(await site.upload(pngOf(2, 2), "a.png"))).toEqual([500, "rest_upload_sideload_error"]);
  });

  test("an uploaded picture is served at its address", async () => {
    const { body } = await site.upload(pngOf(20, 10), "a.png");
    expect(body.media_details).toMatchObject({ width: 20, height: 10 });
    const served = await fetch(body.source_url);
    expect([served.status, served.headers.get("content-type")]).toEqual([200, "image/png"]);
  });
});

describe("faults and the journal", () => {
  const method = "POST /wp/v2/posts";

  // covers networks: Twins: strict, with faults and a journal
  test("an answer that is lost leaves the post in place", async () => {
    await site.control("POST", "/faults", {
      provider: "wordpress",
      method,
      chat: "shop",
      fault: { kind: "drop_after" },
      times: 1,
    });
    await expect(site.api("POST", "posts", { title: "x", slug: "lost" })).rejects.toThrow();
    const found = await site.api("GET", "posts?slug=lost&status=any&context=edit");
    expect(found.body).toHaveLength(1);
  });

  test.each([403, 406, 502, 503])("a scripted %d is a page, and nothing is stored", async (status) => {
    await site.control("POST", "/faults", { method, fault: { kind: "status", status }, times: 1 });
    const answer = await site.api("POST", "posts", { title: "x" });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([status, "text/html; charset=UTF-8"]);
    expect((await site.api("GET", "posts?status=any")).body).toEqual([]);
  });

  test("a scripted 500 is WordPress's own critical error", async () => {
    await site.control("POST", "/faults", { method, fault: { kind: "status", status: 500 }, times: 1 });
    expect(code(await site.api("POST", "posts", { title: "x" }))).toEqual([500, "internal_server_error"]);
  });

  test("the journal knows the call, the site and the post, and no password", async () => {
    const { body } = await site.api("POST", "posts", { title: "x" });
    const { entries } = await site.control<{ entries: object[] }>("GET", "/journal?provider=wordpress");
    expect(entries).toMatchObject([{ method, chat: "shop", status: 201, created: [String(body.id)] }]);
    expect(JSON.stringify(entries)).not.toContain(basic("admin"));
  });
});

describe("what readers see", () => {
  const read = async (path: string) => {
    const response = await fetch(`${site.home}${path}`);
    return { status: response.status, html: await response.text() };
  };

  // covers networks: Twins: what readers see
  test("a published article with its head, picture, contents and terms", async () => {
    await site.change({ locale: "ru_RU", plugins: ["rankmath"] });
    const { body: picture } = await site.upload(pngOf(20, 10), "hero.png");
    await site.api("POST", `media/${picture.id}`, { alt_text: "Диван", caption: "Подпись" });
    const { body: tag } = await site.api("POST", "tags", { name: "мебель" });
    const content = "<h2>Раз</h2><p>1</p><h2>Два</h2><p>2</p><h2>Три</h2><p>3</p>";
    const { body: post } = await site.api("POST", "posts", {
      title: "Как выбрать диван",
      content,
      status: "publish",
      slug: "divan",
      tags: [tag.id],
      featured_media: picture.id,
    });
    await site.api("POST", "/wp-json/rankmath/v1/updateMeta", {
      objectType: "post",
      objectID: post.id,
      meta: { rank_math_description: "Описание", rank_math_robots: ["noindex"] },
    });
    const { status, html } = await read("/divan/");
    expect(status).toBe(200);
    for (const piece of [
      '<meta name="description" content="Описание">',
      '<meta name="robots" content="noindex, follow">',
      `<link rel="canonical" href="${site.home}/divan/">`,
      '"@type":"Article"',
      'alt="Диван"',
      "<figcaption>Подпись</figcaption>",
      "Содержание",
      "#мебель",
    ])
      expect(html).toContain(piece);
    expect((await read("/")).html).toContain("Как выбрать диван");
  });

  test("drafts, trash, private and future posts are not there until their time", async () => {
    const at = new Date(clock.now() + 60_000).toISOString().slice(0, 19);
    for (const status of ["draft", "private", "future"])
      await site.api("POST", "posts", { title: `Тайна ${status}`, slug: status, status, date_gmt: at });
    const { body } = await site.api("POST", "posts", {
      title: "Тайна trash",
      slug: "gone",
      status: "publish",
    });
    await site.api("DELETE", `posts/${body.id}`);
    expect((await read("/")).html).not.toContain("Тайна");
    for (const path of ["/draft/", "/private/", "/future/", "/gone/"])
      expect((await read(path)).status).toBe(404);
    clock.advance(120_000);
    expect((await read("/future/")).status).toBe(200);
  });

  test("pages run no scripts that a post brings", async () => {
    await site.api("POST", "posts", {
      title: "x",
      slug: "x",
      content: "<script>1</script>",
      status: "publish",
    });
    const response = await fetch(`${site.home}/x/`);
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
  });

  test("the twins' page gets sites with the number of their public posts, and tests read these", async () => {
    await site.api("POST", "posts", { title: "Видно", status: "publish" });
    await site.api("POST", "posts", { title: "Не видно" });
    const { messages } = await site.control<{ messages: { title: string }[] }>(
      "GET",
      "/chats/wordpress/shop/messages",
    );
    expect(messages.map(({ title }) => title)).toEqual(["Видно"]);
    expect(await site.control("GET", "/places")).toMatchObject({
      places: [{ provider: "wordpress", id: "shop", title: "Уютный дом", url: "/wordpress/shop/", items: 1 }],
    });
    const front = await fetch(`${site.home}/`);
    expect(front.headers.get("content-security-policy")).toContain("frame-ancestors 'self'");
  });
});

describe("letting a program in", () => {
  const decide = (form: Record<string, string>) =>
    fetch(`${site.home}/wp-admin/authorize-application.php`, {
      method: "POST",
      redirect: "manual",
      body: new URLSearchParams(form),
    });

  test("who approves is sent back with a password that works", async () => {
    const asked = await fetch(
      `${site.home}/wp-admin/authorize-application.php?app_name=Molva&success_url=https://a.example/ok`,
    );
    expect(await asked.text()).toContain("Molva");
    const decided = await decide({ approve: "1", user: "editor", success_url: "https://a.example/ok?n=1" });
    const back = new URL(decided.headers.get("location") ?? "");
    expect(back.searchParams.get("site_url")).toBe(site.home);
    const authorization = basic(
      back.searchParams.get("user_login") ?? "",
      back.searchParams.get("password") ?? "",
    );
    const me = await fetch(`${site.home}/wp-json/wp/v2/users/me?_fields=slug`, {
      headers: { authorization },
    });
    expect(await me.json()).toEqual({ slug: "editor" });
  });

  test("who rejects is sent to where the program said, and no password is made", async () => {
    const decided = await decide({
      reject: "1",
      success_url: "https://a.example/ok",
      reject_url: "https://a.example/no",
    });
    expect(decided.headers.get("location")).toBe("https://a.example/no");
    const plain = await decide({ reject: "1", success_url: "https://a.example/ok" });
    expect(plain.headers.get("location")).toBe("https://a.example/ok?success=false");
  });
});

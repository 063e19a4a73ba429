import sharp from "sharp";
import { type Answered, basic, type Client } from "./client.ts";

/** The same requests for two sites, and what of the answers must be the same. */
export interface Scenario {
  readonly name: string;
  run(ask: Client): Promise<unknown>;
}

const api = "/wp-json/wp/v2";
const admin = "administrator";

/** What an error says; words are compared as well, since both sites speak English. */
const fault = ({ status, body }: Answered) => ({
  status,
  code: body?.code,
  message: body?.message,
  data: body?.data,
});

function pick(answer: Answered, ...names: string[]): unknown {
  if (answer.body?.code) return fault(answer);
  return { status: answer.status, ...Object.fromEntries(names.map((name) => [name, answer.body?.[name]])) };
}

async function all<T>(items: readonly T[], run: (item: T) => Promise<unknown>): Promise<unknown[]> {
  const results: unknown[] = [];
  for (const item of items) results.push(await run(item));
  return results;
}

const create = (ask: Client, json: unknown, as = admin) => ask("POST", `${api}/posts`, { as, json });

const dirty = `<!-- wp:html --><p style="color:red;position:fixed" onclick="x()" class="a" data-x="1">Te<b>x</b>t</p><script>alert(1)</script><style>.a{color:red}</style><iframe src="https://y.ru/x"></iframe><form action="/x"><input name="a"><button type="submit">Go</button></form><a href="javascript:alert(1)" target="_blank" rel="nofollow">l</a><a href='https://a.ru/?a=1&b=2'>l2</a><img src="data:image/png;base64,AA" alt="q"><img src="https://a.ru/a.jpg" alt="q" loading="lazy" onerror="x" srcset="a.jpg 1x" width="5" height="6"><figure class="wp-block-image"><figcaption>c</figcaption></figure><svg><path d="M0"/></svg><object data="x"></object><video src="https://a.ru/a.mp4" controls></video><h2 id="x">H</h2><table><tr><td colspan="2">1</td></tr></table><custom-el>z</custom-el><br><hr/> 5 < 6 && 7 > 3 &nbsp; &copy; &bogus; &#8212; <!-- comment <b> --> <script type="application/ld+json">{"@type":"FAQPage"}</script><details open><summary>s</summary>t</details><!-- /wp:html -->`;

const picture = (format: "jpeg" | "png" | "webp") =>
  sharp({ create: { width: 64, height: 48, channels: 3, background: "#884422" } })
    [format]()
    .toBuffer();

const upload = (
  ask: Client,
  body: Uint8Array,
  type: string,
  name: string,
  as = admin,
  more: Record<string, string> = {},
) =>
  ask("POST", `${api}/media`, {
    as,
    body,
    headers: { "content-type": type, "content-disposition": `attachment; filename="${name}"`, ...more },
  });

function form(
  bytes: Uint8Array,
  fields: Record<string, string> = {},
  field = "file",
  name = "form.jpg",
): FormData {
  const data = new FormData();
  for (const [key, value] of Object.entries(fields)) data.append(key, value);
  data.append(field, new Blob([new Uint8Array(bytes)], { type: "image/jpeg" }), name);
  return data;
}

const shownMedia = ["source_url", "slug", "mime_type", "media_type", "alt_text", "title", "caption"];

export const scenarios: readonly Scenario[] = [
  {
    name: "the index names the site, its zone and the way to get an application password",
    run: async (ask) =>
      pick(
        await ask("GET", "/wp-json/"),
        "url",
        "home",
        "gmt_offset",
        "timezone_string",
        "namespaces",
        "authentication",
      ),
  },
  {
    name: "users/me tells everybody who they are and what they may",
    run: (ask) =>
      all([admin, "editor", "author", "contributor", "subscriber"], async (as) => {
        const { body } = await ask("GET", `${api}/users/me?context=edit`, { as });
        return {
          roles: body.roles,
          may: Object.keys(body.capabilities).sort(),
          extra: body.extra_capabilities,
          username: body.username,
          email: body.email,
        };
      }),
  },
  {
    name: "users/me tells no roles without context=edit, and strangers nothing",
    run: async (ask) => [
      Object.keys((await ask("GET", `${api}/users/me`, { as: admin })).body).sort(),
      fault(await ask("GET", `${api}/users/me`)),
    ],
  },
  {
    name: "wrong credentials",
    run: (ask) =>
      all(
        [
          basic("admin", "nope"),
          basic("nobody", "nope"),
          basic("a@b.ru", "nope"),
          basic("admin", ""),
          "Bearer x",
        ],
        async (authorization) => fault(await ask("GET", `${api}/users/me`, { headers: { authorization } })),
      ),
  },
  {
    name: "a post is created in the context of editing, with its address",
    run: async (ask) => {
      const made = await create(ask, {
        title: "Как выбрать диван & стол",
        content: "<!-- wp:paragraph --><p>Текст</p><!-- /wp:paragraph -->",
        status: "publish",
        slug: "kak-vybrat-divan",
        excerpt: "Кратко",
      });
      const { body } = made;
      const location = made.headers.get("location")?.endsWith(`${api}/posts/${body.id}`);
      const seen = await ask("GET", `${api}/posts/${body.id}`);
      const {
        id: _,
        date: _1,
        date_gmt: _2,
        modified: _3,
        modified_gmt: _4,
        guid: _5,
        _links: _6,
        ...rest
      } = body;
      const { title, content, excerpt, meta } = seen.body;
      return {
        status: made.status,
        location,
        ...rest,
        seen: { title, content, excerpt, meta, keys: Object.keys(seen.body).sort() },
      };
    },
  },
  {
    name: "drafts have no slug and a plain link",
    run: async (ask) => {
      const { body } = await create(ask, { title: "Черновик", content: "x" });
      return {
        slug: body.slug,
        link: body.link.replace(/\d+$/, "N"),
        status: body.status,
        generated: body.generated_slug,
      };
    },
  },
  {
    name: "slugs: taken ones, numbers, reserved words, signs, Cyrillic and length",
    run: (ask) =>
      all(
        [
          "same",
          "same",
          "same",
          "Привет мир",
          `${"А".repeat(60)}б`,
          `${"А".repeat(60)}б`,
          "a".repeat(250),
          "Wow_ It's  100% (ok)/x",
          "2",
          "page",
          "feed",
          "embed",
        ],
        async (slug) => pick(await create(ask, { title: "S", status: "publish", slug }), "slug", "link"),
      ),
  },
  {
    name: "slugs made of titles",
    run: (ask) =>
      all(
        [
          "Новый день",
          `${"Ж".repeat(60)}б`,
          `${"Ж".repeat(60)}б`,
          "Wow_ It's 100% (ok)/y — тире, «кавычки» …",
          "<b>Tag</b> text",
          "12 & 5",
          "Ёлка и йод",
          "Café Ærø",
        ],
        async (title) => pick(await create(ask, { title, status: "publish" }), "slug", "title"),
      ),
  },
  {
    name: "who may write and publish what",
    run: (ask) =>
      all(
        [undefined, "subscriber", "contributor", "author"].flatMap((as) =>
          ["draft", "pending", "publish", "future", "private"].map((status) => ({ as, status })),
        ),
        async ({ as, status }) => {
          const answer = await ask("POST", `${api}/posts`, {
            ...(as && { as }),
            json: { title: "x", status, slug: `by-${as}-${status}` },
          });
          return [as, pick(answer, "status", "slug", "author")];
        },
      ),
  },
  {
    name: "values that a post does not take",
    run: (ask) =>
      all(
        [
          { title: "x", status: "wrong" },
          { title: "x", categories: "a,b", featured_media: "x" },
          {},
          { status: "publish" },
          { id: 5, title: "x" },
          { title: "x", author: 999 },
          { title: "x", sticky: true, password: "1" },
          { title: "m", meta: "x" },
          { title: "m", meta: { _yoast_wpseo_title: [1] } },
          { title: "f", date: "tomorrow" },
        ],
        async (json) => fault(await create(ask, json)),
      ),
  },
  {
    name: "pictures and categories that do not exist are passed over",
    run: async (ask) => [
      pick(await create(ask, { title: "x", featured_media: 9999 }), "featured_media"),
      pick(await create(ask, { title: "x", categories: [9999] }), "categories"),
    ],
  },
  {
    name: "bodies that are no JSON, forms, and parameters of the address",
    run: async (ask) => [
      fault(
        await ask("POST", `${api}/posts`, {
          as: admin,
          body: "{bad",
          headers: { "content-type": "application/json" },
        }),
      ),
      pick(
        await ask("POST", `${api}/posts`, {
          as: admin,
          body: "title=Форма&status=draft",
          headers: { "content-type": "application/x-www-form-urlencoded" },
        }),
        "title",
        "status",
      ),
      pick(await ask("POST", `${api}/posts?title=q`, { as: admin }), "title"),
      fault(
        await ask("POST", `${api}/posts`, {
          as: admin,
          body: "title=q",
          headers: { "content-type": "text/plain" },
        }),
      ),
    ],
  },
  {
    name: "meta that is not registered is dropped without a word",
    run: async (ask) =>
      pick(await create(ask, { title: "m", meta: { nope: "1", _yoast_wpseo_title: "T" } }), "meta"),
  },
  {
    name: "dates decide between publish and future",
    run: (ask) =>
      all(
        [
          { status: "publish", date: "2040-01-01T10:00:00" },
          { status: "future", date_gmt: "2020-01-01T10:00:00" },
          { status: "draft", date: "2020-01-01T10:00:00Z" },
          { status: "draft", date_gmt: "2020-01-01T10:00:00+05:00" },
        ],
        async (json) => pick(await create(ask, { title: "Дата", ...json }), "status", "date", "date_gmt"),
      ),
  },
  {
    name: "HTML of authors and contributors is filtered, that of editors is not",
    run: (ask) =>
      all(["editor", "author", "contributor"], async (as) => {
        const { body } = await create(
          ask,
          {
            title: 'T <script>a</script> <b onclick="x">b</b> & c',
            excerpt: "<p>E<script>s</script></p>",
            content: dirty,
          },
          as,
        );
        return [as, body.content.raw, body.title, body.excerpt.raw];
      }),
  },
  {
    name: "posts of others",
    run: async (ask) => {
      const { body: published } = await create(ask, { title: "чужая", status: "publish" });
      const { body: draft } = await create(ask, { title: "чужой черновик" });
      return [
        fault(await ask("POST", `${api}/posts/${published.id}`, { as: "author", json: { title: "x" } })),
        fault(await ask("GET", `${api}/posts/${draft.id}`)),
        fault(await ask("GET", `${api}/posts/${draft.id}`, { as: "author" })),
        fault(await ask("GET", `${api}/posts/${published.id}?context=edit`)),
        fault(await ask("DELETE", `${api}/posts/${published.id}`, { as: "author" })),
        fault(await ask("DELETE", `${api}/posts/${published.id}`)),
        pick(
          await ask("PATCH", `${api}/posts/${published.id}`, { as: "editor", json: { title: "правка" } }),
          "title",
          "author",
        ),
      ];
    },
  },
  {
    name: "the trash, and what comes out of it",
    run: async (ask) => {
      const { body: post } = await create(ask, { title: "В корзину", slug: "trash-me", status: "publish" });
      const one = `${api}/posts/${post.id}`;
      return [
        pick(await ask("DELETE", one, { as: admin }), "status", "slug"),
        fault(await ask("DELETE", one, { as: admin })),
        pick(await ask("GET", one, { as: admin }), "status", "slug"),
        fault(await ask("GET", one)),
        (await ask("GET", `${api}/posts?status=any&search=корзину`, { as: admin })).body.length,
        pick(await ask("POST", one, { as: admin, json: { status: "publish" } }), "status", "slug"),
        (await ask("DELETE", `${one}?force=true`, { as: admin })).body.deleted,
        fault(await ask("GET", one, { as: admin })),
        fault(await ask("POST", one, { as: admin, json: { title: "x" } })),
      ];
    },
  },
  {
    name: "lists: pages, limits, statuses and who may see them",
    run: (ask) =>
      all(
        [
          ["page=900", admin],
          ["per_page=101", admin],
          ["per_page=0", admin],
          ["page=0&per_page=x", admin],
          ["context=zz", admin],
          ["after=zz", admin],
          ["status=zz", admin],
          ["status=any", "subscriber"],
          ["context=edit", "subscriber"],
        ],
        async ([query, as]) => [
          query,
          fault(await ask("GET", `${api}/posts?${query}`, { ...(as && { as }) })),
        ],
      ),
  },
  {
    name: "strangers see neither drafts nor the context of editing",
    run: async (ask) => [
      fault(await ask("GET", `${api}/posts?status=any`)),
      fault(await ask("GET", `${api}/posts?status=draft`)),
      fault(await ask("GET", `${api}/posts?context=edit`)),
    ],
  },
  {
    name: "a post is found by its slug, Cyrillic too",
    run: async (ask) => {
      await create(ask, { title: "Найди меня", status: "draft", slug: "найди-меня" });
      const found = await ask(
        "GET",
        `${api}/posts?status=any&context=edit&_fields=slug,status&slug=${encodeURIComponent("найди-меня")}`,
        { as: admin },
      );
      const none = await ask("GET", `${api}/posts?slug=none-such`, { as: admin });
      return [
        found.body,
        found.headers.get("x-wp-total"),
        none.body,
        none.headers.get("x-wp-total"),
        none.headers.get("x-wp-totalpages"),
      ];
    },
  },
  {
    name: "pictures as raw bytes: names, types by content, repeated names",
    run: async (ask) => {
      const jpeg = await picture("jpeg");
      const png = await picture("png");
      return [
        pick(await upload(ask, jpeg, "image/jpeg", "a photo.jpg"), ...shownMedia),
        pick(await upload(ask, jpeg, "image/jpeg", "a photo.jpg"), ...shownMedia),
        pick(await upload(ask, await picture("webp"), "image/webp", "b.webp"), ...shownMedia),
        pick(
          await upload(ask, jpeg, "image/jpeg", Buffer.from("фото.jpg").toString("latin1")),
          ...shownMedia,
        ),
        pick(await upload(ask, png, "image/jpeg", "c.jpg"), ...shownMedia),
        pick(await upload(ask, png, "text/plain", "d.png"), ...shownMedia),
      ];
    },
  },
  {
    name: "files that are refused, and how",
    run: async (ask) => {
      const jpeg = await picture("jpeg");
      const html = Buffer.from("<html><script>1</script>");
      const ct = { "content-type": "image/jpeg" };
      return [
        fault(await upload(ask, html, "image/jpeg", "d.jpg")),
        fault(
          await upload(
            ask,
            Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"),
            "image/svg+xml",
            "d.svg",
            "editor",
          ),
        ),
        fault(await upload(ask, jpeg, "image/jpeg", "noextension", "editor")),
        fault(await ask("POST", `${api}/media`, { as: admin, body: jpeg, headers: ct })),
        fault(
          await ask("POST", `${api}/media`, {
            as: admin,
            body: jpeg,
            headers: { ...ct, "content-disposition": "attachment" },
          }),
        ),
        fault(await ask("POST", `${api}/media`, { as: admin })),
        fault(await upload(ask, jpeg, "image/jpeg", "a.jpg", admin, { "content-md5": "abc" })),
        fault(await upload(ask, jpeg, "image/jpeg", "a.jpg", "contributor")),
        fault(
          await ask("POST", `${api}/media`, {
            body: jpeg,
            headers: { ...ct, "content-disposition": "attachment; filename=a.jpg" },
          }),
        ),
        fault(await ask("POST", `${api}/media`, { as: "editor", body: form(html) })),
        fault(await ask("POST", `${api}/media`, { as: "editor", body: form(jpeg, {}, "files") })),
        fault(await ask("POST", `${api}/media`, { as: "editor", body: form(new Uint8Array()) })),
        fault(
          await ask("POST", `${api}/media`, {
            as: admin,
            body: form(Buffer.concat([jpeg, Buffer.alloc(1_500_000)])),
          }),
        ),
        fault(
          await ask("POST", `${api}/media`, {
            as: admin,
            body: form(Buffer.concat([jpeg, Buffer.alloc(3_000_000)])),
          }),
        ),
      ];
    },
  },
  {
    name: "a form brings a picture with its words",
    run: async (ask) =>
      pick(
        await ask("POST", `${api}/media`, {
          as: admin,
          body: form(
            await picture("jpeg"),
            { title: "Т", caption: "Подпись", alt_text: "Альт <b>x</b>" },
            "file",
            "m.jpg",
          ),
        }),
        ...shownMedia,
      ),
  },
  {
    name: "alternative text and caption are set afterwards; what is gone is gone",
    run: async (ask) => {
      const { body } = await upload(ask, await picture("jpeg"), "image/jpeg", "alt.jpg");
      const one = `${api}/media/${body.id}`;
      const set = await ask("POST", one, {
        as: admin,
        json: { alt_text: "Диван <i>в</i> комнате", caption: "Подпись & <b>жирно</b>" },
      });
      const post = await create(ask, { title: "С картинкой", featured_media: body.id });
      return [
        pick(set, "alt_text", "caption"),
        post.body.featured_media === body.id,
        fault(await ask("POST", one, { as: "author", json: { alt_text: "x" } })),
        fault(await ask("DELETE", one, { as: admin })),
        (await ask("DELETE", `${one}?force=true`, { as: admin })).body.deleted,
        fault(await ask("GET", one)),
      ];
    },
  },
  {
    name: "categories and tags: names, twins, rights",
    run: async (ask) => {
      const term = async (base: string, json: unknown, as: string | undefined = admin) => {
        const answer = await ask("POST", `${api}/${base}`, { ...(as !== "stranger" && { as }), json });
        const told = answer.body.data?.term_id !== undefined;
        if (told) return [answer.status, answer.body.code, answer.body.message, "term_id"];
        return pick(answer, "name", "slug", "link", "description", "taxonomy");
      };
      return [
        await term("categories", { name: "Мебель & свет" }),
        await term("categories", { name: "Мебель & свет" }),
        await term("categories", { name: "Мебель & свет", parent: 1 }),
        await term("categories", { name: "Другая", slug: "uncategorized" }),
        await term("categories", {}),
        await term("categories", { name: "ч", parent: 9999 }),
        await term("categories", { name: "а" }, "author"),
        await term("categories", { name: "а" }, "stranger"),
        await term("tags", { name: "Sofa" }),
        await term("tags", { name: "sofa" }),
        await term("tags", { name: "диван" }, "contributor"),
        await term("tags", { name: "в" }, "subscriber"),
        await term("tags", { name: "пп", parent: 1 }),
        fault(await ask("GET", `${api}/categories/9999`)),
        (await ask("GET", `${api}/categories?search=свет&_fields=name`)).body,
        (await ask("GET", `${api}/categories?page=50`)).body,
        (await ask("GET", `${api}/categories?slug=${encodeURIComponent("мебель-свет")}&_fields=name`)).body,
      ];
    },
  },
  {
    name: "routes that do not exist",
    run: (ask) =>
      all(
        [
          "GET /wp-json/wp/v2/nothing",
          "POST /wp-json/rankmath/v1/updateMeta",
          "DELETE /wp-json/wp/v2/posts",
          "GET /wp-json/wp/v2/posts/abc",
          "GET /?rest_route=/zz",
        ],
        async (line) => {
          const [method = "", path = ""] = line.split(" ");
          return fault(await ask(method, path, { as: admin }));
        },
      ),
  },
  {
    name: "REST by the address with rest_route, and methods in a header",
    run: async (ask) => {
      const { body } = await create(ask, { title: "Метод" });
      return [
        (await ask("GET", "/?rest_route=/wp/v2/users/me&_fields=slug", { as: admin })).body,
        (await ask("GET", "/index.php/wp-json/wp/v2/users/me?_fields=slug", { as: admin })).body,
        pick(
          await ask("POST", `${api}/posts/${body.id}`, {
            as: admin,
            json: {},
            headers: { "x-http-method-override": "DELETE" },
          }),
          "status",
        ),
        (await ask("HEAD", "/")).headers.get("link")?.includes('rel="https://api.w.org/"'),
      ];
    },
  },
];

export const plainScenarios: readonly Scenario[] = [
  {
    name: "with plain permalinks REST and posts have plain addresses",
    run: async (ask) => {
      const made = await ask("POST", "/?rest_route=/wp/v2/posts", {
        as: admin,
        json: { title: "Просто", status: "publish" },
      });
      const { body } = made;
      const plain = (text: string | null | undefined) =>
        text?.replace(/\d+$/, "N").replace(/^http:\/\/[^/]*(?:\/wordpress\/[^/]*)?/, "SITE");
      return [
        made.status,
        plain(body.link),
        plain(body.permalink_template),
        plain(body._links.self[0].href),
        plain(made.headers.get("location")),
      ];
    },
  },
];

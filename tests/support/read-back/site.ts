import { z } from "zod";
import { type Block, type Post, plainText } from "../../../src/content/index.ts";
import type { HttpAnswer } from "../../../src/kernel/outbound/index.ts";
import type {
  ChannelProfile,
  CompileResult,
  Outcome,
  Platform,
  PlatformDefinition,
  SendContext,
} from "../../../src/platforms/index.ts";

const limits = { text: 100_000, media: 10, title: 300 } as const;
const words = { credentials: "the site's profile page" };

/** What a site answers of a post that it took. */
const answerShape = z.object({ id: z.number(), link: z.string(), status: z.string(), date_gmt: z.string() });

const sentShape = z.object({
  title: z.string(),
  content: z.string(),
  pictures: z.number(),
  canonical: z.string().optional(),
});

/**
 * A platform for these tests: publishes articles on the WordPress twin in the simplest way; its target is the site's
 * address. Channel settings: `tells_losses` reports that the original is not named, `decorated` adds a style sheet and structured data, `noindex` blocks robots, `status` and
 * `date_gmt` say when it is published.
 */
export const site: PlatformDefinition = {
  name: "site",
  limits,
  settings: {},
  twin: {},
  credential: {
    fields: {
      login: { about: "Who writes", schema: z.string(), open: true },
      password: { about: "An application password", schema: z.string() },
    },
  },
  target: { about: "Site: its address", rules: [], otherwise: "Give the site's address." },
  words: { en: words, ru: words },
  pages: {
    publicFrom({ raw }, now) {
      const { status, date_gmt } = answerShape.parse(raw);
      if (status === "publish") return now;
      return status === "future" ? new Date(`${date_gmt}Z`) : undefined;
    },
    expected(compiled, lost) {
      const { title, content, pictures, canonical } = sentShape.parse(compiled.requests[0]?.body);
      const named = lost.has("original_untold") ? undefined : canonical;
      return { title, html: content, pictures, ...(named && { canonicalUrl: named }) };
    },
  },
  create: (): Platform => ({
    name: "site",
    limits,
    compile,
    preview: ({ body, text, media }) => ({
      http: { method: "POST", path: "/wp-json/wp/v2/posts", query: {}, body },
      shown: { text, marks: [], media, buttons: [] },
    }),
    send: (compiled, context) => send(sentShape.parse(compiled.requests[0]?.body), context),
    siteOf: (targetId) => targetId,
    check: async () => ({ ok: true, steps: [] }),
  }),
};

function compile(post: Post, { settings }: ChannelProfile): CompileResult {
  const text = plainText(post.document);
  const decoration =
    '<style>.toc{border:1px solid #ddd;padding:8px}</style><script type="application/ld+json">{"@type":"Article"}</script>\n\n';
  const pictures = post.media.map(({ url }) => `<p><img src="${url}"></p>`);
  const blocks = post.document.blocks.map(htmlOf);
  const content = [settings.decorated ? decoration : "", ...blocks, ...pictures].join("");
  const body = {
    title: post.article?.title ?? "",
    content,
    pictures: pictures.length,
    ...(post.article?.canonicalUrl && { canonical: post.article.canonicalUrl }),
  };
  const request = { method: "posts", body, text, media: [] };
  return { ok: true, compiled: { platform: "site", requests: [request], plainText: text, losses: [] } };
}

function htmlOf(block: Block): string {
  if (block.type !== "heading" && block.type !== "paragraph") return "";
  const text = plainText({ blocks: [{ type: "paragraph", children: block.children }] });
  return block.type === "heading" ? `<h2>${text}</h2>` : `<p>${text}</p>`;
}

async function send(
  { title, content }: z.infer<typeof sentShape>,
  { channel, credential, http }: SendContext,
): Promise<Outcome> {
  const { status = "publish", date_gmt, noindex, tells_losses } = channel.settings;
  const meta = noindex ? { "_yoast_wpseo_meta-robots-noindex": "1" } : undefined;
  const signed = Buffer.from(`${credential.login}:${credential.password}`).toString("base64");
  const answer = await http.request({
    method: "POST",
    url: `${channel.targetId}/wp-json/wp/v2/posts`,
    headers: { authorization: `Basic ${signed}`, "content-type": "application/json" },
    body: JSON.stringify({ title, content, status, date_gmt, meta }),
  });
  const read = answer.kind === "answer" ? answerShape.safeParse(jsonOf(answer)).data : undefined;
  if (!read) throw new Error("the site did not take the post");
  const losses = tells_losses ? [{ code: "original_untold" as const, message: "not told" }] : undefined;
  return {
    kind: "sent",
    providerMessageId: String(read.id),
    url: read.link,
    raw: read,
    ...(losses && { losses }),
  };
}

const jsonOf = ({ body }: HttpAnswer): unknown => JSON.parse(Buffer.from(body).toString("utf8"));

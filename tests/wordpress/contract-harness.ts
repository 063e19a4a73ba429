import type { Post } from "../../src/content/index.ts";
import { systemClock } from "../../src/kernel/clock/index.ts";
import { createProviderClient } from "../../src/kernel/outbound/index.ts";
import {
  type Compiled,
  createPlatforms,
  type SendContext,
  trackProgress,
} from "../../src/platforms/index.ts";
import type { MessageView } from "../../twins/index.ts";
import { readPage } from "../../twins/wordpress/text/read-page.ts";
import type { Harness } from "../contract/harness.ts";
import { sampleMedia } from "../contract/samples.ts";
import { preparationOf } from "./contract-preparation.ts";
import { contractSite, holdSite, siteName } from "./contract-site.ts";

/** In the place of `tests/contract/harness.ts`: the adapter beside a real WordPress. */
export async function openHarness(name: string): Promise<Harness> {
  const leave = holdSite();
  const { front, real } = await contractSite();
  const preparation = await preparationOf(name);
  const { credential, targetId, methods } = preparation;
  const http = createProviderClient();
  let root = front.url;
  // As a root that moves: a harness that was closed leads nowhere, though the site still stands.
  const { platformOf } = createPlatforms({ WORDPRESS_TWIN_ROOT: root }, { requestTimeoutMs: 10_000 });
  const nowhere = createPlatforms({ WORDPRESS_TWIN_ROOT: "http://127.0.0.1:9" }).platformOf(name);
  const open = platformOf(name);
  const platform: Harness["platform"] = {
    ...open,
    send: (compiled, context) => (root === "" ? nowhere : open).send(compiled, context),
  };
  const channel = { platform: name, targetId, sendMode: "mixed", settings: {} } as const;
  const authorization = `Basic ${Buffer.from(`${real.user}:${real.password}`).toString("base64")}`;

  async function ask(path: string, method = "GET"): Promise<ReturnType<typeof JSON.parse>> {
    const response = await fetch(`${real.server}/${siteName}/wp-json/wp/v2/${path}`, {
      method,
      headers: { authorization, host: new URL(front.url).host },
    });
    return response.json();
  }

  const context = (change: Partial<SendContext> = {}): SendContext => ({
    ...{ channel, credential, idempotencyKey: "delivery-1", http, clock: systemClock },
    since: new Date(Date.now() - 60_000),
    media: sampleMedia(),
    progress: trackProgress([], async () => {}),
    ...change,
  });

  function compile(post: Post): Compiled {
    const result = platform.compile(post, channel);
    if (!result.ok) throw new Error(result.error.message);
    return result.compiled;
  }

  async function messages(): Promise<MessageView[]> {
    // We are let in by one, too.
    await real.set({ applicationPasswords: true });
    const posts = await ask("posts?status=publish&context=edit&orderby=id&order=asc&per_page=100");
    const media = await ask("media?per_page=100");
    const shown = (id: number | undefined, url?: string) =>
      media.filter((item: Item) => item.id === id || item.source_url === url).map(pictureView);
    return posts.map(
      (post: Item & { content: { raw: string }; title: { raw: string }; featured_media: number }) => {
        const { text, marks, images } = readPage(post.content.raw);
        const pictures = [...shown(post.featured_media), ...images.flatMap((url) => shown(undefined, url))];
        return {
          id: String(post.id),
          at: 0,
          author: { name: "", bot: true, mine: false },
          ...{ title: post.title.raw, text, marks, media: pictures, buttons: [] },
          ...{ edited: false, silent: false, protected: false },
        };
      },
    );
  }

  async function emptied(): Promise<void> {
    const everything = "status=publish,future,draft,pending,private,trash&per_page=100&_fields=id";
    for (const { id } of await ask(`posts?${everything}`)) await ask(`posts/${id}?force=true`, "DELETE");
    for (const { id } of await ask("media?per_page=100&_fields=id"))
      await ask(`media/${id}?force=true`, "DELETE");
  }

  const harness: Harness = {
    ...{ platform, preparation, channel, context, compile, messages },
    twinsUrl: front.url,
    send: async (post, change) => platform.send(compile(post), context(change)),
    fault: async (fault, { method = methods.text, times = 1 } = {}) => front.fault(method, fault, times),
    journal: async (method) =>
      front
        .journal()
        .filter((entry) => method === undefined || entry.method === method)
        .map((entry, id) => ({ ...entry, id, at: 0, provider: name, request: {}, response: {} })),
    async control(_method, _path, body) {
      const { bad_password, application_passwords } = Object(body);
      if (bad_password !== undefined) await real.set({ refusesBadPasswords: bad_password === "refused" });
      if (application_passwords !== undefined)
        await real.set({ applicationPasswords: application_passwords === "on" });
      return {};
    },
    async reset() {
      await real.set({ refusesBadPasswords: false, applicationPasswords: true, plainPermalinks: false });
      await emptied();
      front.clear();
    },
    async close() {
      root = "";
      await http.close();
      await leave();
    },
  };
  await harness.reset();
  return harness;
}

interface Item {
  readonly id: number;
  readonly source_url: string;
  readonly media_details: { readonly width?: number; readonly height?: number; readonly filesize?: number };
}

const pictureView = ({ source_url, media_details: { width, height, filesize } }: Item) => ({
  ...{ kind: "photo" as const, url: source_url },
  ...(width !== undefined && { width }),
  ...(height !== undefined && { height }),
  ...(filesize !== undefined && { size: filesize }),
});

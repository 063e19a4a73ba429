import { carry } from "../../../src/delivery/dispatch/carry.ts";
import { settle } from "../../../src/delivery/dispatch/queue.ts";
import type { StartedDelivery } from "../../../src/delivery/dispatch/started-delivery.ts";
import { enqueuePost } from "../../../src/delivery/ingest/enqueue-post.ts";
import type { ReadBackDeps } from "../../../src/delivery/readback/page-task.ts";
import { aChannel } from "../../../src/delivery/testing/builders.ts";
import type { ManualClock } from "../../../src/kernel/clock/index.ts";
import type { Sql } from "../../../src/kernel/db/index.ts";
import { silentLog } from "../../../src/kernel/log/index.ts";
import { createGuardedClient, createProviderClient } from "../../../src/kernel/outbound/index.ts";
import { createPlatforms, noMedia } from "../../../src/platforms/index.ts";
import { password, startTestWordPress, type TestWordPress } from "../../../twins/wordpress/testing.ts";
import { site } from "./site.ts";

export interface ReadBackHarness {
  readonly deps: ReadBackDeps;
  readonly wordpress: TestWordPress;
  /** A channel on the twin's site. */
  channel(settings?: Record<string, string | number | boolean>): Promise<string>;
  /** An article that was sent to every channel of the workspace and settled; returns its delivery. */
  published(article?: ArticleBuilder): Promise<string>;
  /** Starts and settles queued deliveries, as the dispatcher does; returns the deliveries. */
  send(as?: string): Promise<string[]>;
  close(): Promise<void>;
}

export interface ArticleBuilder {
  title?: string;
  text?: string;
  pictures?: readonly string[];
  canonical_url?: string;
  /** Whose application password is used: an author's pages are cleaned by the site. */
  as?: string;
}

let nextTitle = 1;

/** A site of the WordPress twin, and articles on it. `workspace` is asked anew each time: tests have one each. */
export async function readBackHarness(
  sql: Sql,
  clock: ManualClock,
  workspace: () => string,
): Promise<ReadBackHarness> {
  const wordpress = await startTestWordPress({ clock: { now: () => clock.now().getTime() } });
  const platforms = createPlatforms({}, {}, [site]);
  const http = createProviderClient({ defaultTimeoutMs: 5_000 });
  const guarded = createGuardedClient({
    allowHosts: [new URL(wordpress.url).host],
    defaultTimeoutMs: 5_000,
  });
  const deps: ReadBackDeps = {
    ...{ sql, clock, log: silentLog, platforms, http, guarded },
    indexNowRoot: `${wordpress.url}/indexnow`,
  };

  async function send(as = "admin"): Promise<string[]> {
    await sql`select delivery.claim_deliveries(${workspace()}, 'run', 10, ${clock.now()})`;
    const started = await sql<StartedDelivery[]>`
      select * from delivery.start_sending(${workspace()}, 'run', 10, ${clock.now()})`;
    const credential = { login: as, password };
    for (const delivery of started) {
      const settlement = await carry(
        { ...delivery, secret_ref: "kept" },
        {
          ...{ platforms, http, clock, log: silentLog, media: () => noMedia },
          credentials: { ofPlatform: async () => ({ kind: "ready", credential }) },
          render: async () => Promise.reject(new Error("it was compiled before")),
          saveProgress: async () => {},
          keepAnswer: async () => undefined,
          taken: async () => new Set(),
          chatFound: async () => undefined,
          departure: async () => () => undefined,
          turn: async () => {},
        },
      );
      await settle(sql, workspace(), [settlement], clock.now());
    }
    return started.map(({ delivery_id }) => delivery_id);
  }

  return {
    deps,
    wordpress,
    send,
    channel: (settings = {}) =>
      aChannel(sql, workspace(), { platform: "site", target_id: wordpress.home, settings, title: "Сайт" }),
    async published({ title, text, pictures = [], canonical_url, as } = {}) {
      const named = title ?? `Как выбрать стол «${nextTitle++}»`;
      const payload = {
        text: text ?? "## Размер\n\nМерим.\n\n## Цена\n\nСчитаем.",
        parse_mode: "Markdown" as const,
        article: { title: named, ...(canonical_url && { canonical_url }) },
        media: pictures.map((url) => ({ type: "photo" as const, url })),
      };
      await sql.begin((tx) =>
        enqueuePost(tx, workspace(), "webhook_push", { payload }, { platforms, clock }),
      );
      const [only] = await send(as);
      if (!only) throw new Error("nothing was sent");
      return only;
    },
    async close() {
      await Promise.all([wordpress.close(), http.close(), guarded.close()]);
    },
  };
}

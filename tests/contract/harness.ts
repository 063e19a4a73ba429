import type { Post } from "../../src/content/index.ts";
import { systemClock } from "../../src/kernel/clock/index.ts";
import type { Environment } from "../../src/kernel/config/index.ts";
import { createProviderClient, type OwnedHttpClient } from "../../src/kernel/outbound/index.ts";
import {
  type ChannelProfile,
  type Compiled,
  createPlatforms,
  type Outcome,
  type Platform,
  type PlatformName,
  type SendContext,
  trackProgress,
  withTwins,
} from "../../src/platforms/index.ts";
import {
  type FaultKind,
  type JournalEntry,
  type MessageView,
  type RunningTwins,
  startTwins,
} from "../../twins/index.ts";
import { createBoardTwin } from "./board/twin.ts";
import { definitions } from "./platforms.ts";
import { withNeeds } from "./posts.ts";
import { type Preparation, preparationOf, worldOf } from "./preparation.ts";
import { sampleMedia } from "./samples.ts";

/** A platform with its running twin. */
export interface Harness {
  readonly platform: Platform;
  readonly preparation: Preparation;
  readonly channel: ChannelProfile;
  readonly twinsUrl: string;
  /** The post with what the platform needs, compiled; throws if it does not compile. */
  compile(post: Post): Compiled;
  /** Compiles and sends. */
  send(post: Post, change?: Partial<SendContext>): Promise<Outcome>;
  context(change?: Partial<SendContext>): SendContext;
  /** The messages that people see in the channel, the oldest first. */
  messages(): Promise<MessageView[]>;
  fault(fault: FaultKind, match?: { method?: string; times?: number }): Promise<void>;
  journal(method?: string): Promise<JournalEntry[]>;
  control(method: string, path: string, body?: unknown): Promise<ReturnType<typeof JSON.parse>>;
  /** Deletes all posts and fault scripts. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

export async function openHarness(name: PlatformName, environment: Environment = {}): Promise<Harness> {
  const twins = await startTwins({
    port: 0,
    host: "127.0.0.1",
    insecureWebhooks: false,
    rateLimits: false,
    log: { info: () => {}, warn: (...what) => console.error(...what) },
    beside: [createBoardTwin],
  });
  const http = createProviderClient();
  const { platformOf } = createPlatforms(
    withTwins(environment, twins.url, definitions),
    { requestTimeoutMs: 10_000, notReadyWaitsMs: [1, 1] },
    definitions,
  );
  const preparation = await preparationOf(name);
  const harness = harnessOver({ name, preparation, twins, http, platform: platformOf(name) });
  await harness.reset();
  return harness;
}

interface Parts {
  readonly name: PlatformName;
  readonly preparation: Preparation;
  readonly twins: RunningTwins;
  readonly http: OwnedHttpClient;
  readonly platform: Platform;
}

const messagesPage = 500;

function harnessOver({ name, preparation, twins, http, platform }: Parts): Harness {
  const { credential, targetId, shownAt = targetId, methods, options } = preparation;
  const channel: ChannelProfile = { platform: name, targetId, sendMode: "mixed", settings: {} };

  const context = (change: Partial<SendContext> = {}): SendContext => ({
    channel,
    credential,
    idempotencyKey: "delivery-1",
    http,
    clock: systemClock,
    since: new Date(Date.now() - 60_000),
    media: sampleMedia(),
    progress: trackProgress([], async () => {}),
    ...change,
  });

  function compile(post: Post): Compiled {
    const result = platform.compile(withNeeds(post, platform.limits), channel);
    if (!result.ok) throw new Error(result.error.message);
    return result.compiled;
  }

  async function control(method: string, path: string, body?: unknown) {
    const response = await fetch(`${twins.url}/_control${path}`, {
      method,
      ...(body !== undefined && {
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text);
  }

  /** Page by page: the longest posts make hundreds of messages. */
  async function messages(newer: MessageView[] = []): Promise<MessageView[]> {
    const before = newer[0] ? `&before=${newer[0].id}` : "";
    const page = await control("GET", `/chats/${name}/${shownAt}/messages?limit=${messagesPage}${before}`);
    const known = [...page.messages, ...newer];
    return page.messages.length < messagesPage ? known : messages(known);
  }

  return {
    platform,
    preparation,
    channel,
    twinsUrl: twins.url,
    context,
    control,
    compile,
    send: async (post, change) => platform.send(compile(post), context(change)),
    messages: () => messages(),
    fault: (fault, { method = methods.text, times = 1 } = {}) =>
      control("POST", "/faults", { provider: name, method, times, fault }),
    journal: async (method) => {
      const { entries } = await control("GET", "/journal?limit=1000");
      return entries.filter((entry: JournalEntry) => method === undefined || entry.method === method);
    },
    async reset() {
      await control("POST", "/reset");
      for (const { path, body } of worldOf(name, preparation)) await control("POST", path, body);
      if (options) await control("PATCH", options.path, options.body);
    },
    async close() {
      await http.close();
      await twins.close();
    },
  };
}

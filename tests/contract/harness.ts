import type { Post } from "../../src/content/index.ts";
import { systemClock } from "../../src/kernel/clock/index.ts";
import { createProviderClient, type OwnedHttpClient } from "../../src/kernel/outbound/index.ts";
import {
  type ChannelProfile,
  createPlatforms,
  type Outcome,
  type Platform,
  type PlatformName,
  type PlatformsSettings,
  type SendContext,
  trackProgress,
} from "../../src/platforms/index.ts";
import {
  type FaultKind,
  type JournalEntry,
  type MessageView,
  type RunningTwins,
  startTwins,
} from "../../twins/index.ts";
import { type Preparation, preparationOf } from "./preparation.ts";
import { sampleMedia } from "./samples.ts";

/** A platform beside its running twin. */
export interface Harness {
  readonly platform: Platform;
  readonly preparation: Preparation;
  readonly channel: ChannelProfile;
  readonly twinsUrl: string;
  /** Compiles and sends; throws when the post does not compile. */
  send(post: Post, change?: Partial<SendContext>): Promise<Outcome>;
  context(change?: Partial<SendContext>): SendContext;
  /** What people see in the channel, the oldest first. */
  messages(): Promise<MessageView[]>;
  fault(fault: FaultKind, match?: { method?: string; times?: number }): Promise<void>;
  journal(method?: string): Promise<JournalEntry[]>;
  control(method: string, path: string, body?: unknown): Promise<ReturnType<typeof JSON.parse>>;
  /** Forgets all that was posted and scripted. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

export async function openHarness(
  name: PlatformName,
  settings: Partial<PlatformsSettings> = {},
): Promise<Harness> {
  const twins = await startTwins({ port: 0, host: "127.0.0.1", insecureWebhooks: false, rateLimits: false });
  const http = createProviderClient();
  const { platformOf } = createPlatforms({
    telegramApiRoot: `${twins.url}/telegram`,
    maxApiRoot: `${twins.url}/max`,
    requestTimeoutMs: 10_000,
    maxNotReadyWaitsMs: [1, 1],
    ...settings,
  });
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
  const { token, targetId, bot, chat, methods, options } = preparation;
  const channel: ChannelProfile = { platform: name, targetId, sendMode: "mixed", settings: {} };

  const context = (change: Partial<SendContext> = {}): SendContext => ({
    channel,
    token,
    idempotencyKey: "delivery-1",
    http,
    clock: systemClock,
    since: new Date(Date.now() - 60_000),
    media: sampleMedia(),
    progress: trackProgress([], async () => {}),
    ...change,
  });

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
    const page = await control("GET", `/chats/${name}/${targetId}/messages?limit=${messagesPage}${before}`);
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
    async send(post, change) {
      const result = platform.compile(post, channel);
      if (!result.ok) throw new Error(result.error.message);
      return platform.send(result.compiled, context(change));
    },
    messages: () => messages(),
    fault: (fault, { method = methods.text, times = 1 } = {}) =>
      control("POST", "/faults", { provider: name, method, times, fault }),
    journal: async (method) => {
      const { entries } = await control("GET", "/journal?limit=1000");
      return entries.filter((entry: JournalEntry) => method === undefined || entry.method === method);
    },
    async reset() {
      await control("POST", "/reset");
      await control("POST", `/${name}/bots`, bot);
      await control("POST", `/${name}/chats`, chat);
      if (options) await control("PATCH", options.path, options.body);
    },
    async close() {
      await http.close();
      await twins.close();
    },
  };
}

import type { Post } from "../../src/content/index.ts";
import { systemClock } from "../../src/kernel/clock/index.ts";
import { createProviderClient, type OwnedHttpClient } from "../../src/kernel/outbound/index.ts";
import {
  type ChannelProfile,
  createPlatforms,
  type MediaBytes,
  type MediaSource,
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

/** How one platform's twin is prepared: the line to add with a new platform. */
interface Preparation {
  readonly token: string;
  readonly targetId: string;
  /** Bodies for the twin's control API, which make a bot and a channel it may post to. */
  readonly bot: object;
  readonly chat: object;
  /** The name by which fault scripts know the call that posts a text. */
  readonly textMethod: string;
}

export const preparations: Record<PlatformName, Preparation> = {
  telegram: {
    token: `1001:${"A".repeat(35)}`,
    targetId: "-1001234567890",
    bot: { token: `1001:${"A".repeat(35)}`, username: "shop_bot", first_name: "Магазин" },
    chat: {
      id: -1001234567890,
      type: "channel",
      title: "Новости магазина",
      username: "shop_news",
      members: [{ bot: "shop_bot", status: "administrator", can_post_messages: true }],
    },
    textMethod: "sendMessage",
  },
  max: {
    token: "max-bot-token",
    targetId: "-70001",
    bot: { token: "max-bot-token", username: "shop_bot", first_name: "Магазин" },
    chat: {
      chat_id: -70001,
      type: "channel",
      title: "Новости",
      link: "shop",
      members: [{ bot: "shop_bot", is_admin: true }],
    },
    textMethod: "POST /messages",
  },
};

/** A platform beside its running twin. */
export interface Stand {
  readonly platform: Platform;
  readonly channel: ChannelProfile;
  /** Compiles and sends; throws when the post does not compile. */
  send(post: Post, change?: Partial<SendContext>): Promise<Outcome>;
  context(change?: Partial<SendContext>): SendContext;
  /** What people see in the channel, the oldest first. */
  messages(): Promise<MessageView[]>;
  fault(fault: FaultKind, match?: { method?: string; times?: number }): Promise<void>;
  journal(method?: string): Promise<JournalEntry[]>;
  control(method: string, path: string, body?: unknown): Promise<unknown>;
  /** Forgets all that was posted and scripted. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

export async function openStand(
  name: PlatformName,
  settings: Partial<PlatformsSettings> = {},
): Promise<Stand> {
  const twins = await startTwins({ port: 0, host: "127.0.0.1", insecureWebhooks: false, rateLimits: false });
  const http = createProviderClient();
  const { platformOf } = createPlatforms({
    telegramApiRoot: `${twins.url}/telegram`,
    maxApiRoot: `${twins.url}/max`,
    requestTimeoutMs: 10_000,
    maxNotReadyWaitsMs: [1, 1],
    ...settings,
  });
  const stand = standOver({ name, twins, http, platform: platformOf(name) });
  await stand.reset();
  return stand;
}

interface Parts {
  readonly name: PlatformName;
  readonly twins: RunningTwins;
  readonly http: OwnedHttpClient;
  readonly platform: Platform;
}

function standOver({ name, twins, http, platform }: Parts): Stand {
  const { token, targetId, bot, chat, textMethod } = preparations[name];
  const channel: ChannelProfile = { platform: name, targetId, sendMode: "mixed", settings: {} };

  const context = (change: Partial<SendContext> = {}): SendContext => ({
    channel,
    token,
    idempotencyKey: "delivery-1",
    http,
    clock: systemClock,
    since: new Date(Date.now() - 60_000),
    media: sampleMedia,
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

  return {
    platform,
    channel,
    context,
    control,
    async send(post, change) {
      const result = platform.compile(post, channel);
      if (!result.ok) throw new Error(result.error.message);
      return platform.send(result.compiled, context(change));
    },
    messages: async () => (await control("GET", `/chats/${name}/${targetId}/messages`)).messages,
    fault: (fault, { method = textMethod, times = 1 } = {}) =>
      control("POST", "/faults", { provider: name, method, times, fault }),
    journal: async (method) => {
      const { entries } = await control("GET", "/journal");
      return entries.filter((entry: JournalEntry) => method === undefined || entry.method === method);
    },
    async reset() {
      await control("POST", "/reset");
      await control("POST", `/${name}/bots`, bot);
      await control("POST", `/${name}/chats`, chat);
      if (name === "max") await control("PATCH", "/max/options", { not_ready_sends: 0 });
    },
    async close() {
      await http.close();
      await twins.close();
    },
  };
}

/** A small file of each kind, as far as anybody looks into it. */
export const sampleMedia: MediaSource = {
  open: async ({ kind }) => samples[kind],
};

const samples: Record<Post["media"][number]["kind"], MediaBytes> = {
  photo: { bytes: png(640, 480), contentType: "image/png", fileName: "photo.png" },
  video: { bytes: mp4(), contentType: "video/mp4", fileName: "video.mp4" },
  animation: { bytes: mp4(), contentType: "video/mp4", fileName: "animation.mp4" },
  audio: { bytes: new TextEncoder().encode("ID3 sound"), contentType: "audio/mpeg", fileName: "sound.mp3" },
  document: {
    bytes: new TextEncoder().encode("%PDF-1.4"),
    contentType: "application/pdf",
    fileName: "прайс.pdf",
  },
};

function png(width: number, height: number): Uint8Array {
  const bytes = Buffer.alloc(64);
  bytes.write("\x89PNG\r\n\x1a\n", "latin1");
  bytes.writeUInt32BE(13, 8);
  bytes.write("IHDR", 12, "latin1");
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
}

function mp4(): Uint8Array {
  return Buffer.from("\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00mp42isom", "latin1");
}

import { createApiToken } from "../../src/http/index.ts";
import { systemClock } from "../../src/kernel/clock/index.ts";
import { type PostPlatform, postPlatforms } from "../../src/seo/posts/shape.ts";
import { addProject } from "../../src/seo/projects/projects.ts";
import { aCategory, aCluster } from "../../src/seo/testing/builders.ts";
import type { MessageView } from "../../twins/index.ts";
import { preparationOf, worldOf } from "../contract/preparation.ts";
import type { SeoBotHarness, SeoPerson } from "./seo-bot.ts";

/** People with a project, a category with phrases, and networks of their own in the twins. */

const prepared = {
  telegram: await preparationOf("telegram"),
  vk: await preparationOf("vk"),
  pinterest: await preparationOf("pinterest"),
};

const usualPhrases = ["зелёный чай", "чай улун", "белый чай"];

export interface Shop {
  readonly person: SeoPerson;
  readonly projectId: number;
  readonly categoryId: number;
  readonly connections: Partial<Record<PostPlatform, number>>;
  /** The twin's id of the person's own Telegram channel, and its name. */
  readonly channel: string;
  readonly channelName: string;
}

export interface PostWorld {
  aShop(given?: {
    readonly networks?: readonly PostPlatform[];
    readonly phrases?: readonly string[];
    readonly language?: string;
    readonly id?: number;
  }): Promise<Shop>;
  connect(person: SeoPerson, projectId: number, platform: PostPlatform): Promise<number>;
  /** What people see there, the oldest first. */
  shown(platform: PostPlatform, shop: Shop): Promise<MessageView[]>;
  fault(
    provider: string,
    fault: object,
    given?: { method?: string; chat?: string; times?: number },
  ): Promise<unknown>;
  /** No model writes, or draws. */
  refuseTexts(): Promise<void>;
  refusePictures(): Promise<void>;
  /** Orders so many posts over HTTP. */
  orderPosts(shop: Shop, count: number): Promise<void>;
  /** Takes all but this many tokens. */
  leaveTokens(person: SeoPerson, tokens: number): Promise<void>;
  /** Lets all faults go and makes the accounts whole again. */
  mend(): Promise<void>;
}

export async function postWorld(harness: SeoBotHarness): Promise<PostWorld> {
  const { sql, workspaceId, control, running } = harness;
  const { token } = await createApiToken(sql, {
    ...{
      name: "tests",
      scopes: ["admin", "write"],
      workspaceId,
      createdBy: null,
      expiresAt: null,
      clock: systemClock,
    },
  });

  async function mend(): Promise<void> {
    await control("DELETE", "/faults");
    for (const platform of postPlatforms)
      for (const { path, body } of worldOf(platform, prepared[platform])) await control("POST", path, body);
    await control("PATCH", "/vk/tokens/vk1.a.administrator", { revoked: false });
  }
  await mend();

  const channelOf = (person: SeoPerson) => ({ id: -1_002_000_000_000 - person.id, name: `tea_${person.id}` });

  async function call(person: SeoPerson, path: string, body: object): Promise<{ readonly id?: number }> {
    const answer = await fetch(`${running.system.url()}/api/v1/seo/users/${person.id}${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
    return JSON.parse(text);
  }

  async function connect(person: SeoPerson, projectId: number, platform: PostPlatform): Promise<number> {
    const { credential, targetId } = prepared[platform];
    const channel = channelOf(person);
    if (platform === "telegram")
      await control("POST", "/telegram/chats", {
        ...{ id: channel.id, type: "channel", title: `Чай ${person.id}`, username: channel.name },
        members: [{ bot: "shop_bot", status: "administrator", can_post_messages: true }],
      });
    const made = await call(person, `/projects/${projectId}/connections`, {
      ...{ platform_type: platform, fields: credential, shared: true },
      target: platform === "telegram" ? `@${channel.name}` : targetId,
    });
    return made.id ?? 0;
  }

  const refuse = (model: string) =>
    control("POST", "/faults", {
      ...{ provider: "openrouter", chat: model, fault: { kind: "status", status: 404 }, times: 100 },
    });

  return {
    mend,
    connect,
    async aShop(given = {}) {
      const { networks = ["telegram"], phrases = usualPhrases, language = "ru", id } = given;
      const person = await harness.person({ language, ...(id !== undefined && { id }) });
      await person.say("/start");
      await person.screen();
      const whose = { workspaceId, userId: person.id };
      const deps = { sql, clock: systemClock, admins: [] };
      const { id: projectId } = await addProject(deps, whose, {
        ...{ name: "Чайная", company_name: "Два листа", specialization: "весовой чай и посуда" },
      });
      const keywords = phrases.map((phrase, index) => aCluster(phrase, 900 - index * 100));
      const categoryId = await aCategory(sql, whose, { projectId, keywords });
      const connections: Partial<Record<PostPlatform, number>> = {};
      for (const platform of networks) connections[platform] = await connect(person, projectId, platform);
      const channel = channelOf(person);
      return {
        person,
        projectId,
        categoryId,
        connections,
        channel: String(channel.id),
        channelName: `@${channel.name}`,
      };
    },
    async shown(platform, { channel }) {
      const { targetId, shownAt = targetId } = prepared[platform];
      const place = platform === "telegram" ? channel : shownAt;
      return (await control<{ messages: MessageView[] }>("GET", `/chats/${platform}/${place}/messages`))
        .messages;
    },
    fault: (provider, fault, { times = 100, ...match } = {}) =>
      control("POST", "/faults", { provider, ...match, fault, times }),
    async refuseTexts() {
      for (const model of ["deepseek/deepseek-v3.2", "anthropic/claude-sonnet-4.5", "openai/gpt-5.2"])
        await refuse(model);
    },
    async refusePictures() {
      for (const model of ["google/gemini-3-pro-image-preview", "google/gemini-2.5-flash-image"])
        await refuse(model);
    },
    async orderPosts({ person, categoryId, connections }, count) {
      for (let index = 0; index < count; index += 1)
        await call(person, `/categories/${categoryId}/posts`, { connection_id: connections.telegram });
    },
    async leaveTokens(person, tokens) {
      const spent = (await person.balance()) - tokens;
      await sql`select billing.charge_balance(${workspaceId}, ${person.id}, ${spent})`;
    },
  };
}

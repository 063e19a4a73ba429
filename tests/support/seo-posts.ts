import { connectPlatform } from "../../src/seo/connections/connect.ts";
import type { Whose } from "../../src/seo/people/whose.ts";
import { crossPostRun } from "../../src/seo/posts/cross-post-run.ts";
import { cancelPost, publishPost } from "../../src/seo/posts/decide-post.ts";
import { orderCrossPost } from "../../src/seo/posts/order-cross-post.ts";
import { orderPost, type WantedPost } from "../../src/seo/posts/order-post.ts";
import { postRun } from "../../src/seo/posts/post-run.ts";
import { type PostPlatform, postPlatforms } from "../../src/seo/posts/shape.ts";
import { readRun } from "../../src/seo/runs/read-runs.ts";
import { aCategory, aCluster, aProject, aSeoUser } from "../../src/seo/testing/builders.ts";
import type { MessageView } from "../../twins/index.ts";
import { preparationOf, worldOf } from "../contract/preparation.ts";
import { startArticles } from "./seo-articles.ts";

const prepared = {
  telegram: await preparationOf("telegram"),
  vk: await preparationOf("vk"),
  pinterest: await preparationOf("pinterest"),
};

/** A world for posts: that of articles, with a channel, a community and a board. */
export type PostHarness = Awaited<ReturnType<typeof startPosts>>;

export async function startPosts() {
  const world = await startArticles();
  const { sql, clock, deps, twins, connecting } = world;
  const kinds = { post: postRun(deps), crossPost: crossPostRun(deps) };
  const runs = world.runsOf(kinds.post, kinds.crossPost);
  const deciding = { ...deps, runs, cleanUp: world.cleanUp };
  const ordering = { sql, clock, runs, admins: [] };

  /** A person with a project, a category with phrases, and the three networks. */
  async function aBusiness(phrases: readonly unknown[] = usualPhrases) {
    const whose = await aSeoUser(sql);
    const projectId = await aProject(sql, whose, "Чайная");
    const categoryId = await aCategory(sql, whose, { projectId, keywords: phrases });
    const connected = async (platform: PostPlatform) => {
      const { credential, targetId } = prepared[platform];
      const given = { platform_type: platform, target: targetId, fields: { ...credential }, shared: true };
      return (await connectPlatform(connecting, whose, projectId, given)).id;
    };
    const [telegram, vk, pinterest] = [
      await connected("telegram"),
      await connected("vk"),
      await connected("pinterest"),
    ];
    return { whose, projectId, categoryId, telegram, vk, pinterest };
  }

  async function performed({ workspaceId }: Whose, runId: string, using = runs) {
    await world.perform({ workspaceId }, runId, using);
    return readRun(sql, workspaceId, runId);
  }

  return {
    ...world,
    ...{ kinds, runs, deciding, ordering, aBusiness, performed },
    order: (whose: Whose, categoryId: number, wanted: WantedPost) =>
      orderPost(ordering, kinds.post, whose, categoryId, wanted),
    /** Orders a post and has it written. */
    async written(whose: Whose, categoryId: number, wanted: WantedPost, using = runs) {
      const { run_id } = await orderPost(ordering, kinds.post, whose, categoryId, wanted);
      return performed(whose, run_id, using);
    },
    /** Orders an adaptation and has it made. */
    async adapted(whose: Whose, sourceRunId: string, wanted: WantedPost, using = runs) {
      const { run_id } = await orderCrossPost(ordering, kinds.crossPost, whose, sourceRunId, wanted);
      return performed(whose, run_id, using);
    },
    publish: (whose: Whose, runId: string) => publishPost(deciding, whose, runId),
    cancel: (whose: Whose, runId: string) => cancelPost(deciding, whose, runId),
    /** Publishes a reviewed post and sends it. */
    async published(whose: Whose, runId: string) {
      await publishPost(deciding, whose, runId);
      return world.delivered(whose, runId);
    },
    /** What people see there, the oldest first. */
    async shown(platform: PostPlatform): Promise<MessageView[]> {
      const { targetId, shownAt = targetId } = prepared[platform];
      const page = await twins.control<{ messages: MessageView[] }>(
        "GET",
        `/chats/${platform}/${shownAt}/messages`,
      );
      return page.messages;
    },
    async clean() {
      await world.clean();
      for (const platform of postPlatforms)
        for (const { path, body } of worldOf(platform, prepared[platform]))
          await twins.control("POST", path, body);
    },
  };
}

const usualPhrases = [
  aCluster("зелёный чай", 900),
  aCluster("чай улун", 800, { cluster_type: "product_page" }),
  aCluster("белый чай", 700),
];

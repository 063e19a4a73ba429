import type { Sql } from "../../kernel/db/index.ts";
import {
  type Common,
  exitCodes,
  facts,
  inWorkspace,
  print,
  printing,
  type Terminal,
  UserError,
  wholeId,
  withCore,
} from "../../terminal/index.ts";
import { workshopOf } from "../parts.ts";
import type { Whose } from "../people/whose.ts";
import { runOfPublication } from "../posts/cross-post-source.ts";
import {
  cancelPost,
  type DecidePostDeps,
  postOf,
  publishPost,
  regeneratePost,
} from "../posts/decide-post.ts";
import { orderCrossPost } from "../posts/order-cross-post.ts";
import { orderPost } from "../posts/order-post.ts";
import { readersText } from "../posts/post-payload.ts";
import { postResult } from "../posts/shape.ts";
import { type RunDetail, runColumn } from "../runs/read-runs.ts";
import { platformNames } from "../settings/platform-names.ts";
import { type ForPerson, forPerson, idIn } from "./for-person.ts";
import { type OrderOptions, orderAndPrint, ordering } from "./ordering.ts";
import type { AddSeoCommand } from "./seo.ts";

interface InPlace extends OrderOptions {
  readonly connection: number;
}

const place = ["--connection <id>", "the channel, the community or the board"] as const;

/** The published post that is adapted: named by its run, or by its place in the history. */
function sourceRun(
  sql: Sql,
  whose: Whose,
  typed: string | undefined,
  publication: number | undefined,
): Promise<string> {
  if ((typed === undefined) === (publication === undefined))
    throw new UserError("Give either the id of the published post or --publication.", exitCodes.usage);
  return publication === undefined
    ? wholeId(sql, whose.workspaceId, runColumn, typed ?? "")
    : runOfPublication(sql, whose, publication);
}

/** `molva seo post write|show|publish|regenerate|cancel|cross`. */
export const addPosts: AddSeoCommand = (parent, terminal) => {
  const command = parent
    .command("post")
    .description("posts for Telegram, VK and Pinterest: write, look at, publish");
  const ofRun = (name: string, about: string) =>
    forPerson(inWorkspace(printing(command.command(name).description(about)))).argument(
      "<run>",
      "its id, or the beginning of it",
    );

  ordering(command, "write", "write a post about the category's next phrase, for tokens")
    .argument("<category>", "its number", idIn)
    .requiredOption(...place, idIn)
    .action((id: number, options: InPlace) =>
      orderAndPrint(
        terminal,
        options,
        (deps, whose) => orderPost(deps, deps.kinds.post, whose, id, { connectionId: options.connection }),
        postText,
      ),
    );
  ofRun("show", "a post: its text, pictures, warnings").action(async (typed: string, options: ForPerson) => {
    const run = await deciding(terminal, options, typed, ({ sql }, whose, id) => postOf(sql, whose, id));
    print(terminal, options, run, () => postText(run));
  });
  ofRun("publish", "publish it to its connection").action(async (typed: string, options: ForPerson) => {
    const [run_id, connection_id] = await deciding(terminal, options, typed, async (deps, whose, id) => [
      id,
      await publishPost(deps, whose, id),
    ]);
    print(
      terminal,
      options,
      { run_id, connection_id },
      () => `It is being published: molva seo post show ${run_id.slice(0, 13)} --user ${options.user}`,
    );
  });
  ofRun("regenerate", "write it anew: twice for nothing, then for its price").action(
    async (typed: string, options: ForPerson) => {
      const [run_id, tokens] = await deciding(terminal, options, typed, async (deps, whose, id) => [
        id,
        await regeneratePost(deps, whose, id),
      ]);
      print(terminal, options, { run_id, tokens }, () => `It is written anew for ${tokens} tokens.`);
    },
  );
  ofRun("cancel", "cancel it, or skip an adapted one, and return its tokens").action(
    async (typed: string, options: ForPerson) => {
      const [run_id, ended] = await deciding(terminal, options, typed, async (deps, whose, id) => [
        id,
        await cancelPost(deps, whose, id),
      ]);
      print(terminal, options, { run_id, ended }, () =>
        ended === "cancelled"
          ? "It is cancelled; its tokens were returned."
          : "It stops before its next step; then its tokens are returned.",
      );
    },
  );
  ordering(command, "cross", "adapt a published post to another connection, for tokens")
    .argument("[run]", "the id of the published post, or the beginning of it")
    .option("--publication <id>", "instead: its number in the history, of `seo publication list`", idIn)
    .requiredOption(...place, idIn)
    .action((typed: string | undefined, options: InPlace & { readonly publication?: number }) =>
      orderAndPrint(
        terminal,
        options,
        async (deps, whose) => {
          const runId = await sourceRun(deps.sql, whose, typed, options.publication);
          return orderCrossPost(deps, deps.kinds.crossPost, whose, runId, {
            connectionId: options.connection,
          });
        },
        postText,
      ),
    );
};

function deciding<T>(
  terminal: Terminal,
  options: ForPerson & Common,
  typed: string,
  work: (deps: DecidePostDeps, whose: Whose, runId: string) => Promise<T>,
): Promise<T> {
  return withCore(terminal, options, async (core, workspaceId) => {
    const { runs, articles, cleanUp } = workshopOf(core);
    const runId = await wholeId(core.sql, workspaceId, runColumn, typed);
    return work({ ...articles, runs, cleanUp }, { workspaceId, userId: options.user }, runId);
  });
}

function postText(run: RunDetail): string {
  const { data: post } = postResult.safeParse(run.result);
  const about = facts([
    ["run", run.run_id],
    ["status", run.status],
    ["doing", run.stage?.en],
    ["error", run.error?.message.en],
    ["for", post && `${platformNames[post.platform]}: ${post.target}`],
    ["phrase", post?.phrase],
    ["title", post?.pin_title ?? undefined],
    ["words", post && String(post.words)],
    ["pictures", post && String(post.pictures.length)],
    ["tokens", String(run.tokens)],
    ["post", post?.post_url],
    ...(post?.warnings ?? []).map(({ message }) => ["warning", message.en] as const),
  ]);
  return [about, ...(post ? [readersText(post)] : []), ...nextStep(run)].join("\n\n");
}

function nextStep({ status, run_id, user_id }: RunDetail): string[] {
  if (status !== "review") return [];
  const named = `${run_id.slice(0, 13)} --user ${user_id}`;
  return [`Next: molva seo post publish ${named}, or regenerate, or cancel`];
}

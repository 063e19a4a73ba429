/** What the flows of posts remember, and what they read for their screens. */
import { z } from "zod";
import type { StepContext } from "../../../dialogs/index.ts";
import { cut } from "../../../kernel/words/index.ts";
import { readCategory } from "../../categories/categories.ts";
import { readClusters } from "../../categories/keywords.ts";
import { readConnection } from "../../connections/connections.ts";
import type { SeoConnection } from "../../connections/shape.ts";
import { estimateWork } from "../../estimates/estimate.ts";
import { pictureKey } from "../../pictures/stored-files.ts";
import { postOf } from "../../posts/decide-post.ts";
import { readersText } from "../../posts/post-payload.ts";
import { type PostDetail, type PostPlatform, postPlatforms } from "../../posts/shape.ts";
import { readProject } from "../../projects/projects.ts";
import { chargesAgain } from "../../publish/charges-again.ts";
import { platformNames } from "../../settings/platform-names.ts";
import { type BotServices, type BotVisit, inStep, whoseOf } from "../services.ts";
import { ifFound } from "../told.ts";

export const postData = z.object({
  projectId: z.int(),
  categoryId: z.int(),
  connectionId: z.int(),
  /** The run that writes the post; empty until it is ordered. */
  runId: z.string(),
  /** The published post that this one is adapted from; empty for a post of its own. */
  sourceRunId: z.string(),
  order: z.object({
    project: z.string(),
    category: z.string(),
    /** `Telegram: @tea`. */
    target: z.string(),
    platform: z.enum(postPlatforms),
    clusters: z.int(),
    /** Tokens: the usual price, the most that is held, what there is. */
    about: z.int(),
    most: z.int(),
    balance: z.int(),
    isFree: z.boolean(),
  }),
  post: z.object({
    text: z.string(),
    /** Its key in the storage. */
    picture: z.string().nullable(),
    warnings: z.array(z.string()),
    /** Its phrases are used up, or will be soon. */
    wantsPhrases: z.boolean(),
    freeLeft: z.int(),
    /** What another text costs now. */
    again: z.int(),
  }),
  /** What its owner says that it is. */
  kind: z.enum(["unasked", "advert", "information"]),
  /** The line that is put below adverts of the project. */
  marking: z.string().nullable(),
  /** Another text cannot be paid for. */
  isShort: z.boolean(),
  trouble: z.object({
    said: z.string(),
    /** The account has to be connected again; the network asks to wait; the text is still there. */
    isRefused: z.boolean(),
    waits: z.boolean(),
    isLost: z.boolean(),
  }),
  /** Nothing is chosen without a question: the person wants another than the one there is. */
  isChoosing: z.boolean(),
  /** Where to go once the tokens are back. */
  after: z.enum(["home", "other", "topic", "reconnect", "source"]),
});
export type PostData = z.infer<typeof postData>;
export type PostTurn = StepContext<PostData, BotServices>;

const noTrouble = { said: "", isRefused: false, waits: false, isLost: false };

export const noPost: PostData = {
  ...{ projectId: 0, categoryId: 0, connectionId: 0, runId: "", sourceRunId: "" },
  order: {
    ...{ project: "", category: "", target: "", platform: "telegram" },
    ...{ clusters: 0, about: 0, most: 0, balance: 0, isFree: false },
  },
  post: { text: "", picture: null, warnings: [], wantsPhrases: false, freeLeft: 0, again: 0 },
  ...{ kind: "unasked", marking: null, isShort: false, trouble: noTrouble, isChoosing: false, after: "home" },
};

export const isPostPlatform = (platform: string): platform is PostPlatform =>
  postPlatforms.some((each) => each === platform);

/** `Telegram: @tea`, `VK: Лавка чая`. */
export function placeName({
  platform_type,
  title,
  identifier,
}: Pick<SeoConnection, "platform_type" | "title" | "identifier">) {
  const name = identifier.startsWith("@") ? identifier : (title ?? identifier);
  return `${platformNames[platform_type]}: ${name}`;
}

/** What a post would be and cost; undefined if its category or its connection is gone. */
export async function readOrder(visit: BotVisit, data: PostData): Promise<PostData["order"] | undefined> {
  const services = inStep(visit);
  const whose = whoseOf(visit);
  return ifFound(async () => {
    const connection = await readConnection(services.sql, whose, data.connectionId);
    const category = await readCategory(services.sql, whose, data.categoryId);
    const project = await readProject(services.sql, whose, category.project_id);
    if (!isPostPlatform(connection.platform_type) || connection.project_id !== project.id) return undefined;
    const { tokens, balance, is_free } = await estimateWork(
      services,
      whose,
      category.id,
      connection.platform_type,
    );
    const clusters = await readClusters(services.sql, whose, category.id);
    return {
      ...{ project: project.name, category: category.name, clusters: clusters.length },
      ...{ target: placeName(connection), platform: connection.platform_type },
      ...{ about: tokens.about, most: tokens.to, balance, isFree: is_free },
    };
  });
}

export const isTooDear = ({ about, balance, isFree }: PostData["order"]): boolean =>
  !isFree && balance < about;

/** The run of the flow; undefined if there is none of this person's. */
export function readPost(turn: Pick<PostTurn, "data" | "sql" | "services" | "workspaceId" | "userId">) {
  const { runId } = turn.data;
  return runId === ""
    ? Promise.resolve(undefined)
    : ifFound(() => postOf(inStep(turn).sql, whoseOf(turn), runId));
}

/** As much of a post as fits into a message with what stands around it. */
export const longestShown = 3_000;

/** A reviewed post as its screen shows it. */
export function postView(
  run: PostDetail,
  { workspaceId, language, services }: Pick<PostTurn, "workspaceId" | "language" | "services">,
): PostData["post"] | undefined {
  const { result } = run;
  if (!result) return undefined;
  const [picture] = result.pictures;
  const title = result.pin_title === null ? "" : `${result.pin_title}\n\n`;
  const freeLeft = Math.max(0, services.runs.rules.freeRegenerations - result.regenerations);
  return {
    text: `${title}${readersText(result)}`,
    picture: picture ? pictureKey(workspaceId, picture.storage_path) : null,
    warnings: result.warnings.map(({ message }) => message[language]),
    wantsPhrases: result.warnings.some(({ code }) => code === "phrases"),
    freeLeft,
    again: freeLeft > 0 ? 0 : chargesAgain(run).reduce((sum, { tokens }) => sum + tokens, 0),
  };
}

export const shownText = (text: string): string =>
  text.length > longestShown ? `${cut(text, longestShown)}…` : text;

/** All that was held for it and is back. */
export const returnedTokens = ({ receipt }: Pick<PostDetail, "receipt">): number =>
  receipt.reduce((sum, { state, charged, amount }) => sum + charged - (state === "returned" ? 0 : amount), 0);

import { z } from "zod";
import { createLedger } from "../../billing/index.ts";
import {
  type DeliveryEnd,
  defineEndTask,
  type EndTask,
  keepFile,
  type PublishedDelivery,
  publishAddressed,
  publishedBefore,
  waitedInVain,
} from "../../delivery/index.ts";
import { Problem } from "../../http/index.ts";
import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import type { ObjectStorage } from "../../kernel/storage/index.ts";
import type { Platforms } from "../../platforms/index.ts";
import type { StoredPicture } from "../articles/shape.ts";
import { ownerOf } from "../connections/connect.ts";
import { readConnection } from "../connections/connections.ts";
import type { SeoConnection } from "../connections/shape.ts";
import type { Whose } from "../people/whose.ts";
import { readPicture } from "../pictures/stored-files.ts";
import { SeoProblem } from "../problems.ts";
import { logPublication } from "../publications/publications.ts";
import type { PictureFile } from "../render/index.ts";
import type { Runs } from "../runs/create-runs.ts";
import type { Said } from "../said.ts";
import { platformNames } from "../settings/platform-names.ts";
import type { CleanUp } from "./clean-up.ts";
import { type Publishable, publishableOf } from "./publishable.ts";

/** Publishing what a run has written, articles and posts alike: one delivery to one channel, whose end is the end of the run. */

export interface PublishDeps {
  readonly clock: Clock;
  readonly storage: ObjectStorage;
  readonly platforms: Platforms;
}

/** What a run publishes for, and where; part of every order. */
export const placeSchema = z.object({
  project_id: z.int(),
  category_id: z.int(),
  connection_id: z.int().nullable(),
});
export type Place = z.infer<typeof placeSchema>;

/** Copies pictures to the media of deliveries, where they live as long as a post needs them. Undefined: the picture is gone. */
export function keepPictures(
  deps: PublishDeps & { readonly sql: Sql },
  { workspaceId, runId }: { readonly workspaceId: string; readonly runId: string },
  pictures: readonly StoredPicture[],
  nameOf: (index: number) => string | undefined,
): Promise<(PictureFile | undefined)[]> {
  return Promise.all(
    pictures.map(async ({ storage_path, media_type, width, height }, index) => {
      const bytes = await readPicture(deps.storage, workspaceId, storage_path);
      if (!bytes) return undefined;
      const extension = media_type === "image/png" ? "png" : "webp";
      const blobRef = `seo-${runId}-${storage_path.split("/").at(-1) ?? index}`;
      const fileName = `${nameOf(index) ?? `picture-${index + 1}`}.${extension}`;
      await keepFile(deps, workspaceId, { blobRef, bytes, contentType: media_type, fileName, width, height });
      return { blob_ref: blobRef };
    }),
  );
}

/** What is told when a run cannot be published to its connection. */
export interface PlaceWords {
  readonly none: Said;
  readonly other: Said;
  readonly disconnected: Said;
}

export type LiveConnection = SeoConnection & { readonly channel_id: string };

/** The connection of a run: the person's own, in the same project, of a platform that takes such texts. */
export async function connectionOf(
  sql: Sql | Transaction,
  whose: Whose,
  { project_id, connection_id }: Pick<Place, "project_id" | "connection_id">,
  platforms: readonly SeoConnection["platform_type"][],
  words: PlaceWords,
): Promise<LiveConnection> {
  if (connection_id === null) throw new SeoProblem("not_publishable", words.none);
  const connection = await readConnection(sql, whose, connection_id);
  const { channel_id } = connection;
  if (connection.project_id !== project_id || !platforms.includes(connection.platform_type))
    throw new SeoProblem("not_publishable", words.other);
  if (channel_id === null) throw new SeoProblem("not_publishable", words.disconnected);
  return { ...connection, channel_id };
}

type Payload = NonNullable<Parameters<typeof publishAddressed>[2]["post"]["payload"]>;

export interface Addressed {
  readonly whose: Whose;
  readonly runId: string;
  readonly place: Place;
  readonly channelId: string;
  readonly payload: Payload;
  /** A person waits for it until then. */
  readonly waitUntil?: Date | undefined;
}

/** Enqueues the delivery of a run; throws if the platform would not take it. */
export async function address(
  { sql: tx, clock, platforms }: PublishDeps & { readonly sql: Transaction },
  { whose, runId, place, channelId, payload, waitUntil }: Addressed,
): Promise<void> {
  const { project_id, category_id, connection_id } = place;
  const owner = ownerOf(whose);
  const { step } = await lastPublished(tx, whose, runId, { isNext: true });
  const published = await publishAddressed(
    tx,
    whose.workspaceId,
    {
      ...{ owner, run: runId, step, channelIds: [channelId], waitUntil },
      post: { payload },
      end: { task: endTask, given: { user_id: whose.userId, project_id, category_id, connection_id } },
    },
    { platforms, clock },
  );
  if (!("faults" in published)) return;
  const details = published.faults.map(({ detail }) => detail).join(" ");
  throw new SeoProblem("not_publishable", {
    ru: `Это нельзя опубликовать: ${details}`,
    en: `It cannot be published: ${details}`,
  });
}

const failedDeliveries: ReadonlySet<string> = new Set(["failed_permanent", "dead", "cancelled"]);

/**
 * The step by which a run was published last, and its delivery. A text that could not be published may be tried again: each time is a
 * step of its own. With `isNext`, the step of the next time if the last one failed.
 */
export async function lastPublished(
  sql: Sql | Transaction,
  whose: Whose,
  runId: string,
  { isNext = false } = {},
): Promise<{ readonly step: string; readonly delivery: PublishedDelivery | undefined }> {
  for (let time = 1; ; time += 1) {
    const step = time === 1 ? "publish" : `publish-${time}`;
    const [delivery] = await publishedBefore(sql, whose.workspaceId, ownerOf(whose), { run: runId, step });
    const isOver = delivery !== undefined && failedDeliveries.has(delivery.status);
    const after = `publish-${time + 1}`;
    if (!isOver) return { step, delivery };
    const [next] = await publishedBefore(sql, whose.workspaceId, ownerOf(whose), { run: runId, step: after });
    if (!next) return isNext ? { step: after, delivery: undefined } : { step, delivery };
  }
}

export interface Unreviewed {
  readonly whose: Whose;
  readonly runId: string;
  readonly place: Place;
  readonly work: Publishable;
  /** Told if the connection was deleted meanwhile. */
  readonly gone: Said;
}

/** Publishes at the end of a run that nobody reviews: what cannot be published ends the run here. */
export async function publishOrEnd(
  { sql: tx, clock }: PublishDeps & { readonly sql: Transaction },
  { whose, runId, place, work, gone }: Unreviewed,
  publish: (inner: Transaction) => Promise<void>,
): Promise<void> {
  try {
    await tx.savepoint(publish);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const said = error instanceof SeoProblem ? error.said : gone;
    const failure = { code: error.code, message: said };
    await tx`
      select seo.end_publication(${whose.workspaceId}, ${runId}, null, ${JSON.stringify(failure)}::text::jsonb, ${clock.now()})`;
    await createLedger(tx, clock).giveBack(whose.workspaceId, runId, error.code);
    await logEnd(tx, { whose, place, work, now: clock.now(), error: said.ru });
  }
}

const published = placeSchema.extend({ user_id: z.int() });
export type Published = z.infer<typeof published>;

/** A task of this name and shape, for those who publish; `createEndTask` makes the one that does the work. */
const endTask: EndTask<Published> = defineEndTask({
  name: "seo.published",
  given: published,
  run: async () => {
    throw new Error("the module that publishes did not register its task");
  },
});

export interface EndDeps {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly runs: Pick<Runs, "published">;
  readonly cleanUp: CleanUp;
}

/** Ends a run when its delivery has ended: done with the link, or refunded with the reason. */
export function createEndTask({ sql, clock, runs, cleanUp }: EndDeps): EndTask<Published> {
  return defineEndTask({
    name: endTask.name,
    given: published,
    async run({ given: { user_id: userId, ...place }, end }) {
      // Errors on the page are told apart from the end.
      if (end.page !== null) return;
      const { workspace_id: workspaceId, run: runId } = end;
      const work = await publishableOf(sql, workspaceId, runId);
      if (!work) return;
      const whose = { workspaceId, userId };
      const tokens = await heldFor(sql, workspaceId, runId);
      const isSent = end.outcome === "sent";
      await endPublication(
        { sql, clock, runs, cleanUp },
        { whose, runId, place, work },
        isSent
          ? { ok: true, url: end.url ?? undefined }
          : {
              ok: false,
              code: end.error?.code ?? end.outcome,
              said: notPublished(end, work, tokens, await isRefused(sql, whose, place)),
            },
      );
    },
  });
}

/** How it ended at its place. */
export type PlaceEnd =
  | { readonly ok: true; readonly url: string | undefined }
  | { readonly ok: false; readonly code: string; readonly said: Said };

/** Ends the run with its tokens and its place in the history, once. */
export async function endPublication(
  { sql, clock, runs, cleanUp }: EndDeps,
  { whose, runId, place, work }: Omit<Unreviewed, "gone">,
  end: PlaceEnd,
): Promise<void> {
  const { workspaceId } = whose;
  const tokens = end.ok ? await heldFor(sql, workspaceId, runId) : 0;
  const isEnded = await runs.published(
    { workspaceId, runId },
    end.ok ? { ok: true, result: end.url === undefined ? {} : { post_url: end.url } } : end,
    (tx) =>
      logEnd(tx, {
        ...{ whose, place, work, now: clock.now(), tokens },
        ...(end.ok ? { url: end.url } : { error: end.said.ru }),
      }),
  );
  if (!isEnded || (end.ok && work.isSource)) return;
  // An article that was not published may be tried again: its pictures stay for a week. A post is written anew.
  await cleanUp(workspaceId, !end.ok && work.canReopen ? { ...work.files, pictures: [] } : work.files);
}

/** Whether the platform does not let the account in any more: the person has to connect it again (E08). */
async function isRefused(sql: Sql, { workspaceId }: Whose, { connection_id }: Place): Promise<boolean> {
  const rows = await sql`
    select from seo.platform_connections c
    where c.workspace_id = ${workspaceId} and c.id = ${connection_id} and c.status = 'error'`;
  return rows.length > 0;
}

async function heldFor(sql: Sql, workspaceId: string, runId: string): Promise<number> {
  const [row] = await sql<[{ tokens: number }]>`
    select coalesce(sum(h.amount), 0)::int as tokens from billing.holds h
    where h.workspace_id = ${workspaceId} and h.run = ${runId} and h.state <> 'returned'`;
  return row.tokens;
}

interface End {
  readonly whose: Whose;
  readonly place: Place;
  readonly work: Publishable;
  readonly now: Date;
  readonly tokens?: number;
  readonly url?: string | undefined;
  readonly error?: string | undefined;
}

/** Writes the end into the history, unless the project was deleted meanwhile. */
async function logEnd(
  tx: Transaction,
  { whose, place, work, now, tokens = 0, url, error }: End,
): Promise<void> {
  const [project] = await tx`
    select from seo.projects p
    where p.workspace_id = ${whose.workspaceId} and p.user_id = ${whose.userId} and p.id = ${place.project_id}`;
  if (!project) return;
  const { project_id, category_id, connection_id } = place;
  await logPublication(
    tx,
    whose,
    {
      ...{ ...work.entry, project_id, category_id, connection_id, tokens_spent: tokens },
      ...(url !== undefined && { post_url: url }),
      ...(error === undefined
        ? { status: "success" as const }
        : { status: "failed" as const, error_message: error }),
    },
    now,
  );
}

/** A platform's own words are English as a rule; a site's are about its server, which says nothing to its owner. */
function reasonIn({ error, outcome }: DeliveryEnd, { entry }: Publishable): Said {
  const words = (error?.message ?? outcome).replace(/\.$/, "");
  const isSite = entry.platform_type === "wordpress";
  const place = isSite ? "сайт" : platformNames[entry.platform_type];
  // What kept it from arriving in time is told in the words of machines.
  if (words.startsWith(waitedInVain)) return { ru: `${place} не отвечает`, en: words };
  if (/[а-яё]/i.test(words)) return { ru: words, en: words };
  return { ru: `${place} ответил ошибкой${isSite ? "" : `: ${words}`}`, en: words };
}

function notPublished(end: DeliveryEnd, work: Publishable, tokens: number, isRefused: boolean): Said {
  const name = platformNames[work.entry.platform_type];
  const said = work.failure(reasonIn(end, work), tokens);
  const { in_doubt } = end;
  const doubt = {
    ru: in_doubt ? ["Проверьте площадку: часть публикации могла дойти."] : [],
    en: in_doubt ? ["Look at the place: a part of it may have arrived."] : [],
  };
  return {
    ru: [said.ru, ...doubt.ru, ...(isRefused ? [`Переподключите ${name}.`] : [])].join(" "),
    en: [said.en, ...doubt.en, ...(isRefused ? [`Connect ${name} again.`] : [])].join(" "),
  };
}

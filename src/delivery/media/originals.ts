import { createReadStream } from "node:fs";
import type { Clock } from "../../kernel/clock/index.ts";
import { sha256Hex } from "../../kernel/crypto/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import type { Log } from "../../kernel/log/index.ts";
import type { GuardedClient } from "../../kernel/outbound/index.ts";
import type { ObjectStorage } from "../../kernel/storage/index.ts";
import type { CompiledMedia } from "../../platforms/index.ts";
import type { Claims } from "./claims.ts";
import { dimensionsOf } from "./dimensions.ts";
import { download } from "./download.ts";
import { type FileError, gone, isFileError, unavailable } from "./file-errors.ts";

export interface MediaDeps {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly storage: ObjectStorage;
  /** The guarded client, because addresses come from posts. */
  readonly http: GuardedClient;
  readonly log: Log;
  /** The largest file that is fetched. */
  readonly maxBytes: number;
}

/** For whom media are looked up: a post of this age in this workspace, sent by this account. */
export interface Asker {
  readonly workspaceId: string;
  readonly account: string;
  readonly since: Date;
}

/** What the database knows of a file. */
export interface Original {
  readonly blob_ref: string;
  readonly source_url: string | null;
  readonly origin_url: string | null;
  readonly sha256: string | null;
  readonly content_type: string | null;
  readonly size_bytes: number | null;
  readonly file_name: string | null;
  readonly width: number | null;
  readonly height: number | null;
  readonly is_stored: boolean;
  /** Stored, and checked recently enough for a post of this age. */
  readonly is_fresh: boolean;
  /** The account's file ids, by the kind of file that they can be used for. */
  readonly file_ids: Readonly<Record<string, string>>;
}

export async function lookUp(
  sql: Sql,
  media: readonly CompiledMedia[],
  { workspaceId, account, since }: Asker,
  now: Date,
): Promise<Original[]> {
  const asked = media.map(({ url, blobRef }) => ({ url: url ?? null, blob_ref: blobRef ?? null }));
  return sql<Original[]>`
    select blob_ref, source_url, origin_url, sha256, content_type, size_bytes, file_name, width, height,
      is_stored, is_fresh, file_ids
    from delivery.media_known(${workspaceId}, ${sql.json(asked)}, ${account}, ${since}, ${now})`;
}

/** The original in our storage: already there, or fetched now, once for everybody who wants it. */
export async function stored(
  medium: CompiledMedia,
  known: Original,
  asker: Asker,
  claims: Claims,
  deps: MediaDeps,
  deadline = claims.deadline(),
): Promise<Original | FileError> {
  if (known.is_fresh) return known;
  if (!known.source_url) return gone("has no source that can be read");
  const look = async () => (await lookUp(deps.sql, [medium], asker, deps.clock.now()))[0];
  const key = { workspaceId: asker.workspaceId, blobRef: known.blob_ref, purpose: "fetch" };
  const claim = await claims.acquire(
    key,
    async () => {
      const now = await look();
      return now?.is_fresh ? now : undefined;
    },
    deadline,
  );
  if (claim.kind === "done") return claim.value;
  if (claim.kind === "busy") return unavailable("is still being fetched for another post");
  try {
    const error = await fetchOriginal(known, known.source_url, asker, deps);
    if (error && !known.is_stored) return error;
    if (error) {
      // The address does not work now, but its last content is here: this post uses it in all its channels.
      deps.log.warn(
        { blob_ref: known.blob_ref, fault: error.message },
        "a medium could not be looked at again",
      );
      await deps.sql`select delivery.media_stored(${asker.workspaceId}, ${known.blob_ref}, ${deps.clock.now()})`;
    }
    return (await look()) ?? gone("has no source that can be read");
  } finally {
    await claim.release();
  }
}

/** Fetches the file and stores it: first the row, then the object, as the garbage collection of media expects. */
async function fetchOriginal(
  known: Original,
  url: string,
  { workspaceId }: Asker,
  { sql, clock, storage, http, maxBytes }: MediaDeps,
): Promise<FileError | undefined> {
  const result = await download(url, { http, maxBytes }, async (file) => {
    if (!known.is_stored || known.sha256 !== file.sha256) {
      const key = `media/${workspaceId}/${sha256Hex(known.blob_ref).slice(0, 32)}-${file.sha256.slice(0, 16)}`;
      const about = {
        sha256: file.sha256,
        content_type: file.contentType,
        size_bytes: file.size,
        file_name: file.fileName,
        ...(await dimensionsOf(file)),
      };
      const [row] = await sql<[{ replaced: string | null }]>`
        select delivery.media_announce(
          ${workspaceId}, ${known.blob_ref}, ${`storage:${key}`}, ${url}, ${sql.json(about)}, ${clock.now()}) as replaced`;
      await storage.put(key, createReadStream(file.path), { contentType: file.contentType });
      const old = keyOf(row.replaced);
      if (old?.startsWith(`media/${workspaceId}/`)) await storage.delete(old);
    }
    await sql`select delivery.media_stored(${workspaceId}, ${known.blob_ref}, ${clock.now()})`;
    return undefined;
  });
  return result && isFileError(result) ? result : undefined;
}

/** The key of an object with an address such as `storage:media/…`. */
export function keyOf(originUrl: string | null): string | undefined {
  return originUrl === null ? undefined : /^storage:(.+)$/.exec(originUrl)?.[1];
}

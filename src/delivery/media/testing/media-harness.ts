import { buffer } from "node:stream/consumers";
import { type Clock, systemClock } from "../../../kernel/clock/index.ts";
import type { Sql } from "../../../kernel/db/index.ts";
import { silentLog } from "../../../kernel/log/index.ts";
import { createGuardedClient } from "../../../kernel/outbound/index.ts";
import { createStorage, type ObjectStorage } from "../../../kernel/storage/index.ts";
import type { CompiledMedia, LentFile, MediaOrder, MediaSource } from "../../../platforms/index.ts";
import { type ClaimTimes, claimTimes } from "../claims.ts";
import { createMedia, type MediaFor } from "../create-media.ts";

export interface MediaHarness {
  readonly storage: ObjectStorage;
  /** Media as in another process: only the database and the storage are shared. */
  process(times?: Partial<ClaimTimes>, broken?: Partial<ObjectStorage>): MediaFor;
  close(): Promise<void>;
}

export interface MediaHarnessOptions {
  readonly folder: string;
  readonly allowHosts: string[];
  readonly clock?: Clock;
  readonly maxBytes?: number;
}

export function openMediaHarness(
  sql: Sql,
  { folder, allowHosts, clock = systemClock, maxBytes = 1_000_000 }: MediaHarnessOptions,
): MediaHarness {
  const storage = createStorage({
    folder,
    urlBase: "http://localhost/media",
    secret: "secret",
    clock,
    s3: undefined,
  });
  const http = createGuardedClient({ allowHosts });
  return {
    storage,
    process: (times = {}, broken = {}) =>
      createMedia(
        { sql, clock, storage: { ...storage, ...broken }, http, log: silentLog, maxBytes },
        { ...claimTimes, askEveryMs: 20, ...times },
      ),
    async close() {
      await http.close();
      await storage.close();
    },
  };
}

/** An order such as adapters give; pictures may be small and must be JPEG or PNG. */
export function anOrder(
  given: Partial<MediaOrder> & { maxBytes?: number; proportion?: readonly [number, number] } = {},
): MediaOrder {
  const { maxBytes = 100_000, proportion, ...rest } = given;
  const picture = {
    contentTypes: ["image/jpeg", "image/png"],
    longestSide: 1_000,
    ratio: 20,
    ...(proportion && { proportion }),
  };
  return {
    account: "telegram:1",
    rulesFor: ({ kind }) => ({ as: kind, maxBytes, ...(kind === "photo" && { picture }) }),
    ...rest,
  };
}

/** Takes one file and, if it has to be uploaded, gives it the id that the provider would. */
export async function take(
  source: MediaSource,
  medium: CompiledMedia,
  order: MediaOrder = anOrder(),
  name = "file-1",
): Promise<{
  upload?: Uint8Array;
  contentType?: string;
  fileName?: string;
  reference?: string;
  fault?: object;
}> {
  const lent = await source.lend([medium], order, async ([file]) => {
    if (!file || file.kind === "reference") return { reference: file?.reference ?? "" };
    const upload = await bytesOf(file);
    await file.uploaded(name);
    return { upload, contentType: file.file.contentType, fileName: file.file.fileName };
  });
  return lent.ok ? lent.value : { fault: lent.fault };
}

async function bytesOf({ file }: Extract<LentFile, { kind: "upload" }>): Promise<Uint8Array> {
  return buffer(await file.open());
}

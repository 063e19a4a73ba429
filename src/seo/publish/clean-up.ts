import type { Clock } from "../../kernel/clock/index.ts";
import { messageOf } from "../../kernel/errors/index.ts";
import type { Log } from "../../kernel/log/index.ts";
import type { ObjectStorage } from "../../kernel/storage/index.ts";
import type { Telegraph } from "../../telegraph/index.ts";
import { deletePictures } from "../pictures/stored-files.ts";
import type { KeptFiles } from "./publishable.ts";

export interface CleanUpDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly storage: ObjectStorage;
  readonly telegraph: Telegraph;
}

/** Removes the preview page and the pictures of a text. False if the page is to be asked for again. */
export async function removeText(
  { clock, storage, telegraph }: Omit<CleanUpDeps, "log">,
  workspaceId: string,
  { preview, pictures }: KeptFiles,
): Promise<boolean> {
  const deadline = new Date(clock.now().getTime() + waitsMs);
  const removed = preview && (await telegraph.remove(preview.path, "ru", { deadline }));
  await deletePictures(
    storage,
    workspaceId,
    pictures.map(({ storage_path }) => storage_path),
  );
  return removed?.kind !== "failed" || removed.failure.code === "not_editable";
}

export type CleanUp = (workspaceId: string, files: KeptFiles) => Promise<boolean>;

const waitsMs = 10_000;

/** Removes the preview of a text and its pictures. Never throws; false if something is left. */
export function createCleanUp({ log, ...deps }: CleanUpDeps): CleanUp {
  return async (workspaceId, result) => {
    try {
      return await removeText(deps, workspaceId, result);
    } catch (error) {
      log.warn({ reason: messageOf(error) }, "files of a text could not be removed");
      return false;
    }
  };
}

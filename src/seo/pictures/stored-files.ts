import { buffer } from "node:stream/consumers";
import type { ObjectStorage } from "../../kernel/storage/index.ts";

/** Pictures in the storage, below the folder of their workspace. */

export interface PicturePlace {
  readonly userId: number;
  readonly projectId: number;
  readonly runId: string;
  readonly createdAt: Date;
  readonly round: number;
}

/** `{user}/{project}/{timestamp}-{n}.webp`. The same for a repeated step, and of no other run. */
export function picturePath(
  { userId, projectId, runId, createdAt, round }: PicturePlace,
  number: number,
  mediaType: string,
): string {
  // The last digits tell runs of one millisecond apart.
  const own = String(Number.parseInt(runId.slice(-6), 16) % 1_000_000).padStart(6, "0");
  const extension = mediaType === "image/png" ? "png" : "webp";
  return `${userId}/${projectId}/${createdAt.getTime()}${own}-${round * 100 + number}.${extension}`;
}

export const pictureKey = (workspaceId: string, storagePath: string) => `seo/${workspaceId}/${storagePath}`;

/** As long as a signed address can live. */
const addressLivesMs = 7 * 24 * 3_600_000;

export const pictureUrl = (storage: ObjectStorage, workspaceId: string, storagePath: string) =>
  storage.signedUrl(pictureKey(workspaceId, storagePath), { expiresInMs: addressLivesMs });

/** Undefined if it was deleted. */
export async function readPicture(
  storage: ObjectStorage,
  workspaceId: string,
  storagePath: string,
): Promise<Buffer | undefined> {
  return readStored(storage, pictureKey(workspaceId, storagePath));
}

export async function readStored(storage: ObjectStorage, key: string): Promise<Buffer | undefined> {
  const opened = await storage.get(key);
  return opened && buffer(opened.body);
}

export async function deletePictures(
  storage: ObjectStorage,
  workspaceId: string,
  storagePaths: readonly string[],
): Promise<void> {
  for (const path of storagePaths) await storage.delete(pictureKey(workspaceId, path));
}

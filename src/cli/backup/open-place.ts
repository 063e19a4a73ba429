import { mkdir } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { networkOf } from "../../configured/index.ts";
import type { Place } from "../../kernel/backup/index.ts";
import { systemClock } from "../../kernel/clock/index.ts";
import type { Config } from "../../kernel/config/index.ts";
import { randomToken } from "../../kernel/crypto/index.ts";
import { messageOf } from "../../kernel/errors/index.ts";
import { createStorage } from "../../kernel/storage/index.ts";
import { exitCodes, UserError } from "../../terminal/index.ts";
import { fileFolders } from "../../workspaces/index.ts";

/** The folder or the bucket that was named, for as long as the work takes. */
export async function withPlace<T>(
  config: Config,
  name: string,
  work: (place: Place) => Promise<T>,
): Promise<T> {
  const place = name.startsWith("s3://") ? await openBucket(config, name) : await openFolder(config, name);
  try {
    return await work(place);
  } finally {
    await place.storage.close();
  }
}

/** Storages ask for these to sign addresses, and a place of backups has none. */
const unused = { urlBase: "", secret: randomToken(), clock: systemClock };

async function openFolder(config: Config, name: string): Promise<Place> {
  const folder = resolve(name);
  refuseOwnFiles(!relative(resolve(config.MOLVA_HOME, "media"), folder).startsWith(".."), name);
  try {
    // Whoever may not read the database may not read its copy either.
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new UserError(`${name} cannot be used: ${messageOf(error)}`, exitCodes.usage);
  }
  return { name, storage: createStorage({ ...unused, folder }), prefix: "" };
}

async function openBucket(config: Config, name: string): Promise<Place> {
  const [, bucket = "", path = ""] =
    /^s3:\/\/([a-z0-9][a-z0-9.-]{1,62})(?:\/([A-Za-z0-9/._-]*))?$/.exec(name) ?? [];
  if (!bucket) throw new UserError(`${name} is no s3://bucket or s3://bucket/prefix.`, exitCodes.usage);
  const steps = path.split("/").filter((step) => step !== "");
  const settings = {
    endpoint: config.MOLVA_BACKUP_S3_ENDPOINT ?? config.S3_ENDPOINT,
    accessKeyId: config.MOLVA_BACKUP_S3_ACCESS_KEY_ID ?? config.S3_ACCESS_KEY_ID,
    secretAccessKey: config.MOLVA_BACKUP_S3_SECRET_ACCESS_KEY ?? config.S3_SECRET_ACCESS_KEY,
  };
  const { endpoint, accessKeyId, secretAccessKey } = settings;
  if (!endpoint || !accessKeyId || !secretAccessKey)
    throw new UserError(
      "For s3:// set MOLVA_BACKUP_S3_ENDPOINT, MOLVA_BACKUP_S3_ACCESS_KEY_ID and MOLVA_BACKUP_S3_SECRET_ACCESS_KEY, or the S3_* of the media.",
      exitCodes.usage,
    );
  refuseOwnFiles(
    endpoint === config.S3_ENDPOINT && bucket === config.S3_BUCKET && fileFolders.includes(steps[0] ?? ""),
    name,
  );
  const s3 = {
    ...{ endpoint, accessKeyId, secretAccessKey, bucket },
    region: config.MOLVA_BACKUP_S3_REGION ?? config.S3_REGION,
    pathStyle: config.S3_FORCE_PATH_STYLE,
    ...(await networkOf(config)),
  };
  const prefix = steps.map((step) => `${step}/`).join("");
  return {
    name,
    storage: createStorage({ ...unused, folder: join(config.MOLVA_HOME, "unused"), s3 }),
    prefix,
  };
}

/** A backup there would be copied into the next one. */
function refuseOwnFiles(isInside: boolean, name: string): void {
  if (isInside)
    throw new UserError(
      `${name} is among the files that are backed up: choose another place.`,
      exitCodes.usage,
    );
}

import { join } from "node:path";
import type { Clock } from "../kernel/clock/index.ts";
import type { Config } from "../kernel/config/index.ts";
import { randomToken } from "../kernel/crypto/index.ts";
import { createStorage, type ObjectStorage } from "../kernel/storage/index.ts";
import { publicUrlOf } from "./addresses.ts";
import type { Network } from "./network.ts";

/** Addresses of local files are valid as long as the secret: give one of the installation where they must outlive the process. */
export function storageOf(
  config: Config,
  clock: Clock,
  network: Network,
  secret = randomToken(),
): ObjectStorage {
  const {
    S3_ENDPOINT: endpoint,
    S3_BUCKET: bucket,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
  } = config;
  const s3 =
    endpoint && bucket && accessKeyId && secretAccessKey
      ? {
          endpoint,
          bucket,
          accessKeyId,
          secretAccessKey,
          region: config.S3_REGION,
          pathStyle: config.S3_FORCE_PATH_STYLE,
          ...network,
        }
      : undefined;
  return createStorage({
    folder: join(config.MOLVA_HOME, "media"),
    urlBase: `${publicUrlOf(config)}/media`,
    ...{ secret, clock, s3 },
  });
}

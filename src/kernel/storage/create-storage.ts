import { createLocalStorage, type LocalStorageSettings } from "./local-storage.ts";
import type { ObjectStorage } from "./object-storage.ts";
import { createS3Storage, type S3Settings } from "./s3-storage.ts";

export interface StorageSettings extends LocalStorageSettings {
  /** When given, the folder is not used. */
  readonly s3?: Omit<S3Settings, "clock"> | undefined;
}

export function createStorage({ s3, ...local }: StorageSettings): ObjectStorage {
  return s3 ? createS3Storage({ ...s3, clock: local.clock }) : createLocalStorage(local);
}

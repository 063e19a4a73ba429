export { createStorage, type StorageSettings } from "./create-storage.ts";
export type { LocalStorageSettings } from "./local-storage.ts";
export {
  type ListedObject,
  type ObjectInfo,
  type ObjectStorage,
  type OpenObject,
  StorageError,
} from "./object-storage.ts";
export type { S3Settings } from "./s3-storage.ts";
export { type SignedKey, signKey, verifySignedKey } from "./signed-key.ts";

export { createStorage } from "./create-storage.ts";
export { type ObjectStorage, StorageError } from "./object-storage.ts";
export type { S3Limits, S3Settings } from "./s3-storage.ts";
export { signKey, verifySignedKey } from "./signed-key.ts";

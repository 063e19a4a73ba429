export { randomToken, sameSecret, sha256Hex } from "./digest.ts";
export { type FernetKey, open as openToken, parseFernetKey, seal as sealToken } from "./fernet.ts";
export { ensureKeyFile } from "./key-file.ts";
export { isPublished, publishedHashes } from "./published.ts";
export { createVault, generateKey, rowOf, type Vault, VaultError } from "./vault.ts";

/**
 * Cryptography for mtcute. The Node package that has it depends on a SQLite that is compiled at install, so it is
 * written here: Node's own functions where they exist, WebAssembly for AES-IGE and one-shot zlib.
 */
import { createCipheriv, createHash, createHmac, pbkdf2, randomBytes, randomFillSync } from "node:crypto";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import {
  BaseCryptoProvider,
  type IAesCtr,
  type ICryptoProvider,
  type IEncryptionScheme,
} from "@mtcute/core/utils.js";
import { deflateMaxSize, getWasmUrl, gunzip, ige256Decrypt, ige256Encrypt, initSync } from "@mtcute/wasm";

const derive = promisify(pbkdf2);
let wasm: Promise<void> | undefined;

/** One module for all accounts. */
async function loadWasm(): Promise<void> {
  initSync(new Uint8Array(await readFile(fileURLToPath(getWasmUrl()))));
}

export class NodeCrypto extends BaseCryptoProvider implements ICryptoProvider {
  initialize(): Promise<void> {
    wasm ??= loadWasm();
    return wasm;
  }
  sha1(data: Uint8Array): Uint8Array {
    return createHash("sha1").update(data).digest();
  }
  sha256(data: Uint8Array): Uint8Array {
    return createHash("sha256").update(data).digest();
  }
  hmacSha256(data: Uint8Array, key: Uint8Array): Uint8Array {
    return createHmac("sha256", key).update(data).digest();
  }
  pbkdf2(
    password: Uint8Array,
    salt: Uint8Array,
    iterations: number,
    keyLength = 64,
    algorithm = "sha512",
  ): Promise<Uint8Array> {
    return derive(password, salt, iterations, keyLength, algorithm);
  }
  /** In counter mode encryption and decryption are the same. */
  createAesCtr(key: Uint8Array, iv: Uint8Array): IAesCtr {
    const cipher = createCipheriv("aes-256-ctr", key, iv);
    return { process: (data) => cipher.update(data) };
  }
  createAesIge(key: Uint8Array, iv: Uint8Array): IEncryptionScheme {
    return {
      encrypt: (data) => ige256Encrypt(data, key, iv),
      decrypt: (data) => ige256Decrypt(data, key, iv),
    };
  }
  gzip(data: Uint8Array, maxSize: number): Uint8Array | null {
    return deflateMaxSize(data, maxSize);
  }
  gunzip(data: Uint8Array): Uint8Array {
    return gunzip(data);
  }
  randomFill(buffer: Uint8Array): void {
    randomFillSync(buffer);
  }
  override randomBytes(size: number): Uint8Array {
    return randomBytes(size);
  }
}

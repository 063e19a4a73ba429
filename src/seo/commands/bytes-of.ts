import { readFile } from "node:fs/promises";
import { messageOf } from "../../kernel/errors/index.ts";
import { exitCodes, UserError } from "../../terminal/index.ts";

/** The bytes of a file, or of standard input for `-`. */
export async function bytesOf(path: string): Promise<Buffer> {
  try {
    return await readFile(path === "-" ? "/dev/stdin" : path);
  } catch (error) {
    throw new UserError(`${path} cannot be read: ${messageOf(error)}`, exitCodes.usage);
  }
}

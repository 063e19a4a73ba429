import { randomBytes } from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { codeOf } from "../errors/index.ts";
import { giveToOwnerOf } from "./ownership.ts";

/** How to reach the server of this home; kept between runs. */
const accessShape = z.object({ password: z.string().min(1), port: z.number().int().optional() });
export type Access = z.infer<typeof accessShape>;

export async function readAccess(home: string): Promise<Access | undefined> {
  try {
    return accessShape.safeParse(JSON.parse(await readFile(accessFile(home), "utf8"))).data;
  } catch (error) {
    if (codeOf(error) === "ENOENT" || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export async function writeAccess(home: string, access: Access): Promise<void> {
  const file = accessFile(home);
  await writeFile(`${file}.new`, JSON.stringify(access), { mode: 0o600 });
  await giveToOwnerOf(home, `${file}.new`);
  await rename(`${file}.new`, file);
}

export function newPassword(): string {
  return randomBytes(24).toString("base64url");
}

function accessFile(home: string): string {
  return join(home, "postgres.json");
}

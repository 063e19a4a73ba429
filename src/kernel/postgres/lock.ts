import { randomBytes } from "node:crypto";
import { link, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { codeOf } from "../errors/index.ts";
import { EmbeddedPostgresError } from "./errors.ts";
import { giveToOwnerOf } from "./ownership.ts";
import { birthOf } from "./processes.ts";

export interface HomeLock {
  release(): Promise<void>;
}

const holderShape = z.object({ pid: z.number(), birth: z.string() });
type Holder = z.infer<typeof holderShape>;

/** Makes this process the only one that may start or stop the PostgreSQL of `home`. */
export async function lockHome(home: string): Promise<HomeLock> {
  const file = lockFile(home);
  const mine = `${file}.${process.pid}-${randomBytes(4).toString("hex")}`;
  await writeFile(mine, JSON.stringify({ pid: process.pid, birth: birthOf(process.pid) ?? "" }), {
    mode: 0o600,
  });
  try {
    await giveToOwnerOf(home, mine);
    // Linking is atomic, so nobody reads a half-written lock.
    while (!(await linked(mine, file))) await takeAwayFromTheDead(file, `${mine}.stale`, home);
  } finally {
    await rm(mine, { force: true });
  }
  return { release: () => rm(file, { force: true }) };
}

/** The process that holds the lock, if it is alive. */
export async function lockHolder(home: string): Promise<number | undefined> {
  const holder = await readHolder(lockFile(home));
  return holder && lives(holder) ? holder.pid : undefined;
}

function lockFile(home: string): string {
  return join(home, "postgres.lock");
}

async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

async function takeAwayFromTheDead(file: string, aside: string, home: string): Promise<void> {
  const holder = await readHolder(file);
  if (holder && lives(holder)) throw inUse(home, holder.pid);
  try {
    await rename(file, aside);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return;
    throw error;
  }
  // Another process may have taken the lock between reading and renaming: then it is given back.
  const taken = await readHolder(aside);
  if (taken && lives(taken)) {
    await linked(aside, file);
    await rm(aside, { force: true });
    throw inUse(home, taken.pid);
  }
  await rm(aside, { force: true });
}

async function readHolder(file: string): Promise<Holder | undefined> {
  try {
    return holderShape.safeParse(JSON.parse(await readFile(file, "utf8"))).data;
  } catch (error) {
    if (error instanceof SyntaxError || codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

function lives(holder: Holder): boolean {
  return birthOf(holder.pid) === holder.birth;
}

function inUse(home: string, pid: number): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    "in_use",
    `Molva already runs on ${home} (process ${pid}); stop that one first, or set MOLVA_HOME to another folder.`,
  );
}

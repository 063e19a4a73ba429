/** PostgreSQL refuses to run as root: chooses the user that it runs as instead, and checks what that user can do. */
import { spawnSync } from "node:child_process";
import { readFile, stat } from "node:fs/promises";
import { userInfo } from "node:os";
import { EmbeddedPostgresError } from "./errors.ts";

export interface RunAs {
  readonly name: string;
  /** Absent when PostgreSQL runs as the same user as this process. */
  readonly ids?: { readonly uid: number; readonly gid: number };
}

interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** Used in this order when no folder suggests another user. Neither can sign in with a password. */
const unprivileged = ["postgres", "nobody"] as const;

/** `belongings`: the owner of the first of these folders that exists is chosen, unless that is root. */
export async function whoRuns(belongings: readonly string[]): Promise<RunAs> {
  if (process.getuid?.() !== 0) return { name: ownName() };
  const accounts = await readAccounts();
  const owner = await ownerOf(belongings, accounts);
  const chosen = owner ?? unprivileged.map((name) => accounts.find((a) => a.name === name)).find(Boolean);
  if (!chosen)
    throw new EmbeddedPostgresError(
      "no_user",
      "PostgreSQL refuses to run as root and /etc/passwd names neither “postgres” nor “nobody”; add one of them, run Molva as a plain user, or set DATABASE_URL to a PostgreSQL of yours.",
    );
  const runAs = { name: chosen.name, ids: { uid: chosen.uid, gid: chosen.gid } };
  if (!succeeds(runAs, "true", []))
    throw new EmbeddedPostgresError(
      "no_user",
      `PostgreSQL refuses to run as root, and this system does not let root start a program as “${chosen.name}”; run Molva as a plain user, or set DATABASE_URL to a PostgreSQL of yours.`,
    );
  return runAs;
}

/** Runs a program as that user, because access lists and mounts matter as well as mode bits. */
export function canEnter(runAs: RunAs, folder: string): boolean {
  return succeeds(runAs, "test", ["-x", folder]);
}

export function succeeds(runAs: RunAs, command: string, args: readonly string[]): boolean {
  const result = spawnSync(command, args, { ...runAs.ids, cwd: "/", stdio: "ignore" });
  return result.status === 0;
}

function ownName(): string {
  try {
    return userInfo().username;
  } catch (error) {
    throw new EmbeddedPostgresError(
      "no_user",
      `PostgreSQL cannot run as user number ${process.getuid?.()}, which /etc/passwd does not name; add it there, or set DATABASE_URL to a PostgreSQL of yours.`,
      error,
    );
  }
}

async function readAccounts(): Promise<Account[]> {
  const lines = (await readFile("/etc/passwd", "utf8")).split("\n");
  return lines.flatMap((line) => {
    const [name, , uid, gid] = line.split(":");
    return name && uid && gid ? [{ name, uid: Number(uid), gid: Number(gid) }] : [];
  });
}

async function ownerOf(
  folders: readonly string[],
  accounts: readonly Account[],
): Promise<Account | undefined> {
  for (const folder of folders) {
    const found = await stat(folder).catch(() => undefined);
    if (found && found.uid !== 0) return accounts.find((account) => account.uid === found.uid);
  }
  return undefined;
}

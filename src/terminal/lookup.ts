/** Finds what a person means by a typed name or id, or explains why it cannot. */

import { hostname, userInfo } from "node:os";
import { InvalidArgumentError } from "commander";
import type { AuditActor } from "../audit/index.ts";
import { type IdColumn, idsByPrefix, type Sql } from "../kernel/db/index.ts";
import { idRange } from "../kernel/ids/index.ts";
import { listWorkspaces } from "../workspaces/index.ts";
import { exitCodes, UserError } from "./failure.ts";

/** The workspace by id or name; without either, the only one. */
export async function workspaceOf(sql: Sql, named: string | undefined): Promise<string> {
  const workspaces = await listWorkspaces(sql);
  if (workspaces.length === 0)
    throw new UserError(
      "There is no workspace yet: `molva workspace add <name>` makes one.",
      exitCodes.usage,
    );
  const byId = workspaces.filter(({ id }) => id === named);
  const meant =
    named === undefined
      ? workspaces
      : byId.length > 0
        ? byId
        : workspaces.filter(({ name }) => name === named);
  const [first, ...others] = meant;
  if (first && others.length === 0) return first.id;
  const asked =
    named === undefined
      ? "There are several workspaces; say which with --workspace:"
      : first
        ? `Several workspaces are called ${named}; give the id:`
        : `There is no workspace ${named}; there are:`;
  const shown = first ? meant : workspaces;
  throw new UserError(
    [asked, ...shown.map(({ id, name }) => `${id}  ${name}`)].join("\n  "),
    exitCodes.usage,
  );
}

/** Completes an id: what was typed is a whole id or its beginning. */
export async function wholeId(
  sql: Sql,
  workspaceId: string,
  column: IdColumn,
  typed: string,
): Promise<string> {
  if (!idRange(typed))
    throw new UserError(
      `${typed} is not an id: give the id of the ${column.what} as lists print it, or enough of its beginning.`,
      exitCodes.usage,
    );
  return only(column.what, typed, await idsByPrefix(sql, workspaceId, column, typed));
}

export async function wholeIds(
  sql: Sql,
  workspaceId: string,
  column: IdColumn,
  typed: readonly string[],
): Promise<string[]> {
  const ids: string[] = [];
  for (const one of typed) ids.push(await wholeId(sql, workspaceId, column, one));
  return ids;
}

/** Finds one thing by name; if several have the name, the error lists them. */
export function only<T>(
  what: string,
  typed: string,
  found: readonly T[],
  nameOf: (one: T) => string = String,
  where = "in this workspace",
): T {
  const [first, ...others] = found;
  if (first === undefined) throw new UserError(`There is no ${what} ${typed} ${where}.`);
  if (others.length === 0) return first;
  throw new UserError(
    [`More than one ${what} answers to ${typed}; name one of them:`, ...found.map(nameOf)].join("\n  "),
    exitCodes.usage,
  );
}

/**
 * Who uses the command line, by what its machine knows them by. The name of the account can be chosen (in a container by anybody), so it
 * is only a detail.
 */
export function commandActor(): AuditActor & { readonly kind: "command"; readonly id: string } {
  const { uid, username } = userInfo();
  return { kind: "command", id: `uid:${uid}@${hostname()}`, account: username };
}

/** The same for events, which hold one text. */
export function operatorName(): string {
  const { kind, id } = commandActor();
  return `${kind}:${id}`;
}

const units = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** `30m`, `2h`, `1d` ago, or a moment as ISO 8601; for an option's value. */
export function momentOf(typed: string): Date {
  const ago = spanMs(typed);
  if (ago !== undefined) return new Date(Date.now() - ago);
  const moment = new Date(typed);
  if (Number.isNaN(moment.getTime()))
    throw new InvalidArgumentError("Give 30m, 2h, 1d, or a time such as 2026-11-15T12:00Z.");
  return moment;
}

/** Seconds, or `10m`, `2h`, `1d`; for an option's value. */
export function secondsOf(typed: string): number {
  const seconds = /^\d{1,9}$/.test(typed) ? Number(typed) : (spanMs(typed) ?? 0) / 1000;
  if (seconds <= 0) throw new InvalidArgumentError("Give seconds above zero, or 10m, 2h, 1d.");
  return seconds;
}

function spanMs(typed: string): number | undefined {
  const span = /^(\d{1,6})([smhd])$/.exec(typed);
  const unit = span?.[2];
  return span && isUnit(unit) ? Number(span[1]) * units[unit] : undefined;
}

function isUnit(letter: string | undefined): letter is keyof typeof units {
  return letter !== undefined && letter in units;
}

/** A whole number above zero; for an option's value. */
export function countOf(typed: string): number {
  if (!/^[1-9]\d{0,5}$/.test(typed)) throw new InvalidArgumentError("Give a whole number above zero.");
  return Number(typed);
}

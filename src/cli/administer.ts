/** What the commands that look at a workspace and change it share. */

import { readFile } from "node:fs/promises";
import type { Command } from "commander";
import type { z } from "zod";
import { errorsFromIssues, inOurWords, Problem, type ProblemError } from "../http/index.ts";
import { systemClock } from "../kernel/clock/index.ts";
import { type AdminDeps, type By, reason } from "../workspaces/index.ts";
import { configOf, type Terminal } from "./command.ts";
import { withDatabase } from "./database.ts";
import { exitCodes, UserError } from "./failure.ts";
import { facts, moment } from "./layout.ts";
import { operatorName, workspaceOf } from "./lookup.ts";

export interface Common {
  readonly workspace?: string;
  readonly json?: boolean;
  readonly reason?: string;
  readonly dryRun?: boolean;
}

export const printing = (command: Command) => command.option("--json", "one line of JSON");

export const explaining = (command: Command) =>
  printing(command).option("--reason <text>", "why; kept in the audit trail");

/** Where the audit trail is worth nothing without a reason. */
export const justifying = (command: Command) =>
  printing(command).requiredOption("--reason <text>", "why; kept in the audit trail");

export const inWorkspace = (command: Command) =>
  command.option("--workspace <name>", "the workspace's id or name; needed when there are several");

/** Of the commands that only look. */
export const viewing = (command: Command) => inWorkspace(printing(command));

export const rehearsable = (command: Command) =>
  command.option("--dry-run", "change nothing, say what would change");

/** Runs work on one workspace; what it refuses is a sentence, not a stack. */
export function administer<T>(
  terminal: Terminal,
  { workspace }: Common,
  work: (deps: AdminDeps, workspaceId: string) => Promise<T>,
): Promise<T> {
  return withDatabase(configOf(terminal), (sql) =>
    inWords(async () => work({ sql, clock: systemClock }, await workspaceOf(sql, workspace))),
  );
}

/** A problem of the services, said as the command line says things. */
export async function inWords<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw new UserError([error.message, ...otherFaults(error.errors, error.message)].join("\n  "));
  }
}

export function byOf({ reason: why }: Common): By {
  return {
    operator: operatorName(),
    reason: why === undefined ? undefined : checked(reason, why, "--reason"),
    // Whoever has the database's address has everything in it.
    isAdmin: true,
  };
}

/** What a person typed, as the schema wants it; a fault names the place. */
export function checked<Schema extends z.ZodType>(
  schema: Schema,
  typed: unknown,
  what = "",
): z.output<Schema> {
  const read = schema.safeParse(typed, inOurWords);
  if (read.success) return read.data;
  const faults = errorsFromIssues(read.error.issues).map(({ pointer, detail }) =>
    [what, pointer.slice(1)].filter(Boolean).concat(detail).join(": "),
  );
  throw new UserError(faults.join("\n"), exitCodes.usage);
}

/** The text of a file, or of standard input for `-`. */
export async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path === "-" ? "/dev/stdin" : path, "utf8");
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UserError(`${path} cannot be read: ${why}`, exitCodes.usage);
  }
}

/** Everything of a thing, line by line. */
export function shown(thing: object): string {
  return facts(Object.entries(thing).map(([field, value]) => [field, valueText(value)]));
}

export function valueText(value: unknown): string {
  if (value === null || value === undefined) return "–";
  if (value instanceof Date) return moment(value);
  if (typeof value === "string") return value;
  return JSON.stringify(value);
}

function otherFaults(errors: readonly ProblemError[], told: string): string[] {
  return errors
    .filter(({ detail }) => detail !== told)
    .map(({ pointer, detail }) => `${pointer.slice(1) || "it"}: ${detail}`);
}

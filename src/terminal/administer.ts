/** Shared by commands that read or change a workspace. */

import { readFile } from "node:fs/promises";
import type { Command } from "commander";
import type { z } from "zod";
import { errorsFromIssues, inOurWords, Problem, type ProblemError } from "../http/index.ts";
import { messageOf } from "../kernel/errors/index.ts";
import { type AdminDeps, type By, reason } from "../workspaces/index.ts";
import { clockOf } from "./clock.ts";
import { configOf } from "./command.ts";
import { withDatabase } from "./database.ts";
import { type ExitCode, exitCodes, UserError } from "./failure.ts";
import { facts, moment } from "./layout.ts";
import { commandActor, operatorName, workspaceOf } from "./lookup.ts";
import type { Terminal } from "./terminal.ts";

export interface Common {
  readonly workspace?: string;
  readonly json?: boolean;
  readonly reason?: string;
  readonly dryRun?: boolean;
}

export const printing = (command: Command) => command.option("--json", "one line of JSON");

export const explaining = (command: Command) =>
  printing(command).option("--reason <text>", "why; kept in the audit trail");

/** For changes that need a reason in the audit trail. */
export const justifying = (command: Command) =>
  printing(command).requiredOption("--reason <text>", "why; kept in the audit trail");

export const inWorkspace = (command: Command) =>
  command.option("--workspace <name>", "the workspace's id or name; needed when there are several");

/** Options of commands that only read. */
export const viewing = (command: Command) => inWorkspace(printing(command));

/** Adds a subcommand that only reads. */
export const reading = (parent: Command, name: string, about: string) =>
  viewing(parent.command(name).description(about));

/** Adds a subcommand that changes something, with an optional reason. */
export const changing = (parent: Command, name: string, about: string) =>
  inWorkspace(explaining(parent.command(name).description(about)));

export const rehearsable = (command: Command) =>
  command.option("--dry-run", "change nothing, say what would change");

/** Runs work on one workspace. Problems are printed as a sentence, without a stack. */
export function administer<T>(
  terminal: Terminal,
  { workspace }: Common,
  work: (deps: AdminDeps, workspaceId: string) => Promise<T>,
): Promise<T> {
  const config = configOf(terminal);
  return withDatabase(config, (sql) =>
    inWords(async () => work({ sql, clock: await clockOf(config, sql) }, await workspaceOf(sql, workspace))),
  );
}

/** Turns a problem into an error of the command line. */
export async function inWords<T>(work: () => T | Promise<T>, exitCode?: ExitCode): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw new UserError([error.message, ...otherErrors(error.errors, error.message)].join("\n  "), exitCode);
  }
}

export function byOf({ reason: why }: Common): By {
  return {
    operator: operatorName(),
    reason: why === undefined ? undefined : checked(reason, why, "--reason"),
    actor: commandActor(),
    // Whoever has the database's address has access to everything in it.
    isAdmin: true,
  };
}

/** Validates what a person typed; errors name the field. */
export function checked<Schema extends z.ZodType>(
  schema: Schema,
  typed: unknown,
  what = "",
): z.output<Schema> {
  const read = schema.safeParse(typed, inOurWords);
  if (read.success) return read.data;
  const errors = errorsFromIssues(read.error.issues).map(({ pointer, detail }) =>
    [what, pointer.slice(1)].filter(Boolean).concat(detail).join(": "),
  );
  throw new UserError(errors.join("\n"), exitCodes.usage);
}

/** The text of a file, or of standard input for `-`. */
export async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path === "-" ? "/dev/stdin" : path, "utf8");
  } catch (error) {
    throw new UserError(`${path} cannot be read: ${messageOf(error)}`, exitCodes.usage);
  }
}

/** The JSON of a file, or of standard input for `-`. */
export async function jsonIn(path: string): Promise<unknown> {
  const text = await textOf(path);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UserError(`${path} is not JSON: ${messageOf(error)}`, exitCodes.usage);
  }
}

/** All fields of a thing, one per line. */
export function shown(thing: object): string {
  return facts(Object.entries(thing).map(([field, value]) => [field, valueText(value)]));
}

export function valueText(value: unknown): string {
  if (value === null || value === undefined) return "–";
  if (value instanceof Date) return moment(value);
  if (typeof value === "string") return value;
  return JSON.stringify(value);
}

function otherErrors(errors: readonly ProblemError[], told: string): string[] {
  return errors
    .filter(({ detail }) => !told.includes(detail))
    .map(({ pointer, detail }) => `${pointer.slice(1) || "it"}: ${detail}`);
}

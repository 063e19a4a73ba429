/** Shared by all commands of `molva seo`: whose things they show or change. */
import { type Command, InvalidArgumentError } from "commander";
import { administer, type Common, counted, type Terminal, withCore } from "../../terminal/index.ts";
import type { AdminDeps } from "../../workspaces/index.ts";
import { type SeoDeps, seoParts } from "../parts.ts";
import { idText, userIdText, type Whose } from "../people/whose.ts";
import type { Consequences } from "../projects/shape.ts";

export interface ForPerson extends Common {
  readonly user: number;
}

export const forPerson = (command: Command) =>
  command.requiredOption("--user <id>", "the person's Telegram id", userIn);

export function userIn(typed: string): number {
  const read = userIdText.safeParse(typed);
  if (read.success) return read.data;
  throw new InvalidArgumentError("Give the person's Telegram id: a whole number above zero.");
}

/** The number of a project, a category and so on, as lists print it. */
export function idIn(typed: string): number {
  const read = idText.safeParse(typed);
  if (read.success) return read.data;
  throw new InvalidArgumentError("Give the number that the list prints.");
}

/** Works on what the person has. */
export function asPerson<T>(
  terminal: Terminal,
  options: ForPerson,
  work: (deps: AdminDeps, whose: Whose) => Promise<T>,
): Promise<T> {
  return administer(terminal, options, (deps, workspaceId) =>
    work(deps, { workspaceId, userId: options.user }),
  );
}

/** The same with everything that SEO Master needs, the platforms included. */
export function withSeo<T>(
  terminal: Terminal,
  options: ForPerson,
  work: (deps: SeoDeps, whose: Whose) => Promise<T>,
): Promise<T> {
  return withCore(terminal, options, (core, workspaceId) =>
    work(seoParts(core), { workspaceId, userId: options.user }),
  );
}

/** What a deletion takes with it, in words. */
export function consequencesText(gone: Consequences): string {
  const parts = [
    ...(gone.categories > 0 ? [counted(gone.categories, "category", "categories")] : []),
    ...(gone.phrases > 0 ? [counted(gone.phrases, "phrase")] : []),
    ...(gone.connections > 0 ? [counted(gone.connections, "connection")] : []),
    ...(gone.schedules > 0 ? [counted(gone.schedules, "schedule")] : []),
    ...(gone.drafts > 0 ? [`${counted(gone.drafts, "draft")} (${gone.tokens_returned} tokens go back)`] : []),
  ];
  return parts.length > 0 ? `with ${parts.join(", ")}` : "with nothing in it";
}

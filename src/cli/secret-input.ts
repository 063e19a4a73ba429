/** Secrets come from a file, standard input or a hidden question: a command line is kept by the shell and shown by `ps`. */
import { textOf } from "./administer.ts";
import type { Terminal } from "./command.ts";
import { exitCodes, UserError } from "./failure.ts";

export const fromFile = "a file that holds it; - reads standard input";

/** What the file holds, without the line's end; nothing when no file is named. */
export async function secretIn(path: string | undefined): Promise<string | undefined> {
  return path === undefined ? undefined : (await textOf(path)).trim();
}

/** The same, or what a person types unseen when no file is named. */
export async function secretInOrAsked(
  terminal: Terminal,
  path: string | undefined,
  question: string,
): Promise<string | undefined> {
  return (await secretIn(path)) ?? (await terminal.ask?.(question, { secret: true }))?.trim();
}

/** Refuses `secret=…` among the fields, and says how it is given instead. */
export function refuseTyped(typed: readonly string[], field: string, option: string): void {
  if (typed.some((assignment) => assignment.startsWith(`${field}=`)))
    throw new UserError(
      `${field}: not on the command line, where the shell keeps it and others see it. Give ${option} <path>, or ${option} - to read standard input.`,
      exitCodes.usage,
    );
}

/** Secrets come from a file, standard input or a hidden prompt: a command line is stored by the shell and shown by `ps`. */
import { textOf } from "./administer.ts";
import { exitCodes, UserError } from "./failure.ts";
import type { Terminal } from "./terminal.ts";

export const fromFile = "a file that holds it; - reads standard input";

/** The content of the file without the line end; undefined if no file is named. */
export async function secretIn(path: string | undefined): Promise<string | undefined> {
  return path === undefined ? undefined : (await textOf(path)).trim();
}

/** The same, or a hidden prompt if no file is named. */
export async function secretInOrAsked(
  terminal: Terminal,
  path: string | undefined,
  question: string,
): Promise<string | undefined> {
  return (await secretIn(path)) ?? (await terminal.ask?.(question, { secret: true }))?.trim();
}

/** Refuses `secret=…` among the fields and says how to pass it instead. */
export function refuseTyped(typed: readonly string[], field: string, option: string): void {
  if (typed.some((assignment) => assignment.startsWith(`${field}=`)))
    throw new UserError(
      `${field}: not on the command line, where the shell keeps it and others see it. Give ${option} <path>, or ${option} - to read standard input.`,
      exitCodes.usage,
    );
}

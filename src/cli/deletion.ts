/** What every `delete` shares: a reason, a rehearsal, and the same words. */
import type { Command } from "commander";
import { type Common, inWorkspace, justifying, rehearsable } from "./administer.ts";
import { print, type Terminal } from "./command.ts";

export function deleting(parent: Command, about: string, verb = "delete"): Command {
  return rehearsable(inWorkspace(justifying(parent.command(verb).description(about))));
}

export function printDeleted(terminal: Terminal, options: Common, deleted: string, name = deleted): void {
  const { dryRun = false } = options;
  print(terminal, options, { dry_run: dryRun, deleted }, () =>
    dryRun ? `Would delete ${name}; nothing was changed.` : `Deleted ${name}.`,
  );
}

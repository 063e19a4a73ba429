/** Shared by every `delete`: a reason, a dry run, and the same messages. */
import type { Command } from "commander";
import { type Common, inWorkspace, justifying, rehearsable } from "./administer.ts";
import { print } from "./command.ts";
import type { Terminal } from "./terminal.ts";

export function deleting(parent: Command, about: string, verb = "delete"): Command {
  return rehearsable(inWorkspace(justifying(parent.command(verb).description(about))));
}

export function printDeleted(terminal: Terminal, options: Common, deleted: string, name = deleted): void {
  const { dryRun = false } = options;
  print(terminal, options, { dry_run: dryRun, deleted }, () =>
    dryRun ? `Would delete ${name}; nothing was changed.` : `Deleted ${name}.`,
  );
}

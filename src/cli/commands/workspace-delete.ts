import { createWriteStream } from "node:fs";
import { resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Command } from "commander";
import { networkOf, storageOf } from "../../configured/index.ts";
import { systemClock } from "../../kernel/clock/index.ts";
import {
  type AdminDeps,
  deleteWorkspace,
  exportWorkspace,
  readWorkspace,
  type Workspace,
} from "../../workspaces/index.ts";
import { administer, type Common, justifying, printing } from "../administer.ts";
import { configOf, print, type Terminal } from "../command.ts";
import { exitCodes, UserError } from "../failure.ts";
import { counted } from "../layout.ts";

interface DeleteOptions extends Common {
  readonly export?: string;
  readonly confirm?: string;
}

/** `molva workspace export|delete`: everything of a workspace into a file, and then away. */
export function addWorkspaceDeletion(parent: Command, terminal: Terminal): void {
  printing(
    parent.command("export").description("write everything but secrets and files, a row of JSON a line"),
  )
    .argument("<workspace>", "its id or name")
    .argument("[file]", "where to; a new file of the workspace's name unless given")
    .action(async (named: string, file: string | undefined, options: Common) => {
      const written = await administer(terminal, { workspace: named }, async (deps, workspaceId) =>
        exported(deps, await readWorkspace(deps.sql, workspaceId), file),
      );
      print(terminal, options, { file: written }, () => `Exported to ${written}`);
    });

  justifying(
    parent
      .command("delete")
      .description("delete a disabled workspace with everything of it, after an export; asks for its name"),
  )
    .argument("<workspace>", "its id or name")
    .option("--export <file>", "where to export it to before; a new file of its name unless given")
    .option("--confirm <name>", "its name, where nobody can be asked")
    .action(async (named: string, options: DeleteOptions) => {
      const config = configOf(terminal);
      const storage = storageOf(config, systemClock, await networkOf(config));
      try {
        const done = await administer(terminal, { workspace: named }, async (deps, workspaceId) => {
          const workspace = await readWorkspace(deps.sql, workspaceId);
          if (workspace.status !== "disabled")
            throw new UserError(
              `${workspace.name} is ${workspace.status}. First: molva workspace disable "${workspace.name}" --reason "…"`,
            );
          const file = await exported(deps, workspace, options.export);
          terminal.err(`Exported to ${file}`);
          const typed = options.confirm ?? (await askedName(terminal, workspace));
          await deleteWorkspace({ ...deps, storage }, workspaceId, typed);
          return { deleted: workspaceId, name: workspace.name, export: file };
        });
        print(terminal, options, done, () => `Deleted ${done.name} with everything of it.`);
      } finally {
        await storage.close();
      }
    });
}

async function askedName({ ask }: Terminal, { name, channels }: Workspace): Promise<string> {
  const typed = await ask?.(
    `This deletes ${name}: ${counted(channels, "channel")}, posts, events, dialogues, accounts, files. Type its name to go on: `,
  );
  if (typed === undefined)
    throw new UserError("Nobody could be asked for the name: give it by --confirm.", exitCodes.usage);
  return typed.trim();
}

/** Never writes over a file that is there; a second try, after a mistyped name, has a file of its own. */
async function exported(deps: AdminDeps, workspace: Workspace, file?: string): Promise<string> {
  const time = deps.clock.now().toISOString().replaceAll(":", "").replace("Z", "");
  const path = resolve(file ?? `molva-${workspace.workspace_id}-${time}.ndjson`);
  const lines = Readable.from(exportWorkspace(deps, workspace.workspace_id));
  try {
    await pipeline(lines, createWriteStream(path, { flags: "wx", mode: 0o600 }));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST")
      throw new UserError(`${path} exists already: name another file.`, exitCodes.usage);
    if (error instanceof Error && "syscall" in error)
      throw new UserError(`${path} cannot be written: ${error.message}`, exitCodes.usage);
    throw error;
  }
  return path;
}

import { createWriteStream } from "node:fs";
import { resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Command } from "commander";
import { networkOf, storageOf } from "../../configured/index.ts";
import { systemClock } from "../../kernel/clock/index.ts";
import { codeOf } from "../../kernel/errors/index.ts";
import {
  administer,
  byOf,
  type Common,
  configOf,
  counted,
  exitCodes,
  justifying,
  print,
  type Terminal,
  UserError,
} from "../../terminal/index.ts";
import {
  type AdminDeps,
  type By,
  deleteWorkspace,
  exportWorkspace,
  readWorkspace,
  type Workspace,
} from "../../workspaces/index.ts";

interface DeleteOptions extends Common {
  readonly export?: string;
  readonly confirm?: string;
}

/** `molva workspace export|delete`: writes a workspace into a file, and deletes it. */
export function addWorkspaceDeletion(parent: Command, terminal: Terminal): void {
  justifying(
    parent.command("export").description("write everything but secrets and files, a row of JSON a line"),
  )
    .argument("<workspace>", "its id or name")
    .argument("[file]", "the file to write; a new one with the workspace's name unless given")
    .action(async (named: string, file: string | undefined, options: Common) => {
      const written = await administer(terminal, { workspace: named }, async (deps, workspaceId) =>
        exported(deps, await readWorkspace(deps.sql, workspaceId), byOf(options), file),
      );
      print(terminal, options, { file: written }, () => `Exported to ${written}`);
    });

  justifying(
    parent
      .command("delete")
      .description("delete a disabled workspace with all its data, after an export; asks for its name"),
  )
    .argument("<workspace>", "its id or name")
    .option("--export <file>", "the file of the export; a new one with the workspace's name unless given")
    .option("--confirm <name>", "its name, instead of typing it at the prompt")
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
          const file = await exported(deps, workspace, byOf(options), options.export);
          terminal.err(`Exported to ${file}`);
          const typed = options.confirm ?? (await askedName(terminal, workspace));
          await deleteWorkspace({ ...deps, storage }, workspaceId, typed, byOf(options));
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
    throw new UserError("There is no terminal to ask for the name: pass it with --confirm.", exitCodes.usage);
  return typed.trim();
}

/** Never overwrites a file; a second attempt, as after a mistyped name, gets a file of its own. */
async function exported(deps: AdminDeps, workspace: Workspace, by: By, file?: string): Promise<string> {
  const time = deps.clock.now().toISOString().replaceAll(":", "").replace("Z", "");
  const path = resolve(file ?? `molva-${workspace.workspace_id}-${time}.ndjson`);
  const lines = Readable.from(exportWorkspace(deps, workspace.workspace_id, by));
  try {
    await pipeline(lines, createWriteStream(path, { flags: "wx", mode: 0o600 }));
  } catch (error) {
    if (codeOf(error) === "EEXIST")
      throw new UserError(`${path} exists already: name another file.`, exitCodes.usage);
    if (error instanceof Error && "syscall" in error)
      throw new UserError(`${path} cannot be written: ${error.message}`, exitCodes.usage);
    throw error;
  }
  return path;
}

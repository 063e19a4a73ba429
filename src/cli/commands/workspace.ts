import { systemClock } from "../../kernel/clock/index.ts";
import {
  type AddCommand,
  administer,
  assigned,
  byOf,
  type Common,
  checked,
  configOf,
  explaining,
  fieldsHelp,
  inWords,
  justifying,
  type Paged,
  paging,
  print,
  printing,
  printPage,
  shown,
  table,
  withDatabase,
} from "../../terminal/index.ts";
import {
  addWorkspace,
  changeWorkspace,
  newWorkspace,
  readWorkspace,
  setWorkspaceStatus,
  type Workspace,
  workspaceChanges,
  workspacePage,
} from "../../workspaces/index.ts";
import { addWorkspaceDeletion } from "./workspace-delete.ts";

const operations = [
  ["pause", "paused", "stop sending; posts are still accepted"],
  ["resume", "active", "go on sending"],
  ["disable", "disabled", "accept nothing and send nothing"],
] as const;

/** `molva workspace list|show|add|set|pause|resume|disable|export|delete`. */
export const addWorkspaceCommand: AddCommand = (program, terminal) => {
  const command = program.command("workspace").description("tenants: each has its doors, channels and posts");

  paging(printing(command.command("list").description("workspaces, oldest first"))).action(
    async (options: Paged) => {
      const page = await withDatabase(configOf(terminal), (sql) =>
        inWords(() => workspacePage(sql, options)),
      );
      printPage(terminal, options, page, listed);
    },
  );

  printing(command.command("show").description("one workspace and its settings"))
    .argument("<workspace>", "its id or name")
    .action(async (workspace: string, options: Common) => {
      const found = await administer(terminal, { workspace }, ({ sql }, workspaceId) =>
        readWorkspace(sql, workspaceId),
      );
      print(terminal, options, found, () => shown(found));
    });

  explaining(command.command("add").description("make a workspace"))
    .argument("<name>", "its name")
    .argument("[field=value...]", "the rest")
    .addHelpText("after", fieldsHelp(newWorkspace.shape, ["name"]))
    .action(async (name: string, typed: string[], options: Common) => {
      const { reason: _, ...fields } = checked(newWorkspace, { ...assigned(newWorkspace, typed), name });
      const made = await withDatabase(configOf(terminal), (sql) =>
        inWords(() => addWorkspace({ sql, clock: systemClock }, fields, byOf(options))),
      );
      print(terminal, options, made, () => shown(made));
    });

  explaining(command.command("set").description("change a workspace"))
    .argument("<workspace>", "its id or name")
    .argument("<field=value...>", "what to change")
    .addHelpText("after", fieldsHelp(workspaceChanges.shape))
    .action(async (workspace: string, typed: string[], options: Common) => {
      const { reason: _, ...fields } = checked(workspaceChanges, assigned(workspaceChanges, typed));
      const changed = await administer(terminal, { workspace }, (deps, workspaceId) =>
        changeWorkspace(deps, workspaceId, fields, byOf(options)),
      );
      print(terminal, options, changed, () => shown(changed));
    });

  for (const [verb, status, about] of operations)
    justifying(command.command(verb).description(about))
      .argument("<workspace>", "its id or name")
      .action(async (workspace: string, options: Common) => {
        const changed = await administer(terminal, { workspace }, (deps, workspaceId) =>
          setWorkspaceStatus(deps, workspaceId, status, byOf(options)),
        );
        print(terminal, options, changed, () => `${changed.name} is ${changed.status}.`);
      });

  addWorkspaceDeletion(command, terminal);
};

const listed = table<Workspace>("No workspaces.", {
  id: ({ workspace_id }) => workspace_id,
  status: ({ status }) => status,
  zone: ({ timezone }) => timezone,
  channels: ({ channels }) => String(channels),
  name: ({ name }) => name,
});

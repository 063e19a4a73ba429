import { Argument, type Command, Option } from "commander";
import { publicUrlOf } from "../../configured/index.ts";
import {
  addMember,
  createSignInLink,
  findOperator,
  type Invitation,
  invitationUrl,
  invite,
  listInvitations,
  listOperators,
  normalizeLogin,
  type Operator,
  resetOperator,
  revokeInvitation,
  roles,
  setMemberRole,
  setOperator,
  signInUrl,
} from "../../http/index.ts";
import { systemClock as clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import {
  type AddCommand,
  type Common,
  commandActor,
  configOf,
  inWords,
  moment,
  type Paged,
  paging,
  print,
  printing,
  printPage,
  type Terminal,
  table,
  UserError,
  withDatabase,
  workspaceOf,
} from "../../terminal/index.ts";
import { listWorkspaces, pageOfAll } from "../../workspaces/index.ts";
import { auditCommand } from "../audit-command.ts";

const everyRole = [...roles, "administrator"] as const;
type AnyRole = (typeof everyRole)[number];

const whichWorkspace = "in which workspace, by id or name; needed when there are several";

/** `molva operator list|invite|invitations|uninvite|role|remove|reset|disable|enable`: the people who use the console. */
export const addOperatorCommand: AddCommand = (program, terminal) => {
  const command = program.command("operator").description("people who may use the console, and their roles");

  paging(printing(command.command("list").description("operators with their roles, by login"))).action(
    async (options: Paged) => {
      const { page, names } = await withDatabase(configOf(terminal), async (sql) => ({
        page: await inWords(async () => pageOfAll(await listOperators(sql), options)),
        names: new Map((await listWorkspaces(sql)).map(({ id, name }) => [id, name])),
      }));
      printPage(terminal, options, page, (items) => listed(names)(items));
    },
  );
  invitationCommands(command, terminal);
  roleCommands(command, terminal);
  resetCommand(command, terminal);

  for (const [verb, disabled, about] of [
    ["disable", true, "sign somebody out everywhere and stop their tokens, links and invitations"],
    ["enable", false, "let somebody sign in again"],
  ] as const)
    printing(command.command(verb).description(about))
      .argument("<login>", "whom")
      .action(async (login: string, options: Common) => {
        await withDatabase(configOf(terminal), async (sql) => {
          const operator = await known(sql, login);
          await changeOperator(sql, operator, { disabled }, `operator.${verb}d`);
        });
        print(terminal, options, { login, disabled }, () => `${login} is ${verb}d.`);
      });
};

function invitationCommands(command: Command, terminal: Terminal): void {
  printing(
    command.command("invite").description("print a one-time link for a new operator, valid for 7 days"),
  )
    .argument("<login>", "the login they will have, such as an e-mail address")
    .addOption(
      new Option("--role <role>", "what they may do")
        .choices(everyRole)
        .default("operator" satisfies AnyRole),
    )
    .option("--workspace <name>", whichWorkspace)
    .action(async (login: string, options: Common & { role: AnyRole }) => {
      const config = configOf(terminal);
      const made = await withDatabase(config, async (sql) => {
        const { role } = options;
        const workspaceId = role === "administrator" ? null : await workspaceOf(sql, options.workspace);
        const invited = await invite(sql, { workspaceId, login, role, invitedBy: null, clock });
        if (invited.kind === "refused") throw new UserError(invited.reason);
        const { invitation, token } = invited;
        const subject = { kind: "invitation", id: invitation.id };
        const meta = { login: invitation.login, role };
        await auditCommand(sql, { workspaceId, action: "operator.invited", subject, meta });
        return { ...invitation, url: invitationUrl(publicUrlOf(config), token) };
      });
      print(terminal, options, made, () => made.url);
    });

  paging(
    printing(
      command.command("invitations").description("invitations that can still be accepted, newest first"),
    ),
  )
    .option("--workspace <name>", "of one workspace, by id or name")
    .action(async (options: Paged) => {
      const page = await withDatabase(configOf(terminal), (sql) =>
        inWords(async () => {
          const { workspace } = options;
          const workspaceId = workspace === undefined ? null : await workspaceOf(sql, workspace);
          return pageOfAll(await listInvitations(sql, { workspaceId, clock }), options);
        }),
      );
      printPage(terminal, options, page, invitationTable);
    });

  printing(command.command("uninvite").description("revoke somebody's invitations: their links stop working"))
    .argument("<login>", "whose")
    .option("--workspace <name>", "only to this workspace, by id or name")
    .action(async (login: string, options: Common) => {
      const revoked = await withDatabase(configOf(terminal), async (sql) => {
        const { workspace } = options;
        const workspaceId = workspace === undefined ? null : await workspaceOf(sql, workspace);
        const open = await listInvitations(sql, { workspaceId, clock });
        const found = open.filter((invitation) => invitation.login === normalizeLogin(login));
        if (found.length === 0) throw new UserError(`${login} has no invitation.`);
        for (const { id, workspace_id, role } of found) {
          await revokeInvitation(sql, { id, workspaceId: workspace_id });
          const subject = { kind: "invitation", id };
          const meta = { login, role };
          await auditCommand(sql, { workspaceId: workspace_id, action: "invitation.revoked", subject, meta });
        }
        return found.length;
      });
      print(terminal, options, { login, revoked }, () => `Revoked: ${revoked}.`);
    });
}

function roleCommands(command: Command, terminal: Terminal): void {
  printing(command.command("role").description("give somebody a role in a workspace, or all of them"))
    .argument("<login>", "whom")
    .addArgument(new Argument("<role>", "administrator: of the whole installation").choices(everyRole))
    .option("--workspace <name>", whichWorkspace)
    .action(async (login: string, role: AnyRole, options: Common) => {
      await withDatabase(configOf(terminal), async (sql) => {
        const operator = await known(sql, login);
        if (role === "administrator")
          return changeOperator(sql, operator, { administrator: true }, "operator.made_administrator");
        const workspaceId = await workspaceOf(sql, options.workspace);
        const given = { workspaceId, operatorId: operator.id, role };
        const change = await setMemberRole(sql, given);
        if (change.kind === "last_admin") throw lastAdmin();
        if (change.kind === "unknown") await addMember(sql, { ...given, now: clock.now() });
        const subject = { kind: "operator", id: operator.id };
        const meta = { from: change.kind === "changed" ? change.was : null, to: role };
        await auditCommand(sql, { workspaceId, action: "member.role_changed", subject, meta });
      });
      print(terminal, options, { login, role }, () => `${login} is ${role} now.`);
    });

  printing(command.command("remove").description("take somebody's role in a workspace"))
    .argument("<login>", "whose")
    .option("--workspace <name>", whichWorkspace)
    .option("--administrator", "take the rights of an administrator of the installation instead")
    .action(async (login: string, options: Common & { administrator?: boolean }) => {
      await withDatabase(configOf(terminal), async (sql) => {
        const operator = await known(sql, login);
        if (options.administrator)
          return changeOperator(sql, operator, { administrator: false }, "operator.no_administrator");
        const workspaceId = await workspaceOf(sql, options.workspace);
        const change = await setMemberRole(sql, { workspaceId, operatorId: operator.id, role: null });
        if (change.kind === "last_admin") throw lastAdmin();
        if (change.kind !== "changed") throw new UserError(`${login} has no role in this workspace.`);
        const subject = { kind: "operator", id: operator.id };
        await auditCommand(sql, {
          workspaceId,
          action: "member.removed",
          subject,
          meta: { role: change.was },
        });
      });
      print(terminal, options, { login, removed: true }, () => `${login} is removed.`);
    });
}

function resetCommand(command: Command, terminal: Terminal): void {
  printing(
    command
      .command("reset")
      .description("take somebody's password, sessions and provider, and print a one-time link to sign in"),
  )
    .argument("<login>", "whose")
    .action(async (given: string, options: Common) => {
      const config = configOf(terminal);
      const { login, url } = await withDatabase(config, async (sql) => {
        const operator = await known(sql, given);
        const by = { clock, actor: commandActor() };
        await resetOperator(sql, operator.login, by);
        const token = await createSignInLink(sql, operator.login, by);
        return { login: operator.login, url: token ? signInUrl(publicUrlOf(config), token) : null };
      });
      print(terminal, options, { login, url }, () =>
        [
          `${login} has no password, session, link or linked provider any more.`,
          `A second factor stays: \`molva second-factor reset ${login}\` removes it.`,
          url ?? `${login} is disabled: \`molva operator enable ${login}\`, then \`molva signin ${login}\`.`,
        ].join("\n"),
      );
    });
}

async function changeOperator(
  sql: Sql,
  { id, login }: Operator,
  change: { administrator?: boolean; disabled?: boolean },
  action: string,
): Promise<void> {
  const result = await setOperator(sql, id, change);
  if (result === "last_administrator")
    throw new UserError(`${login} is the last administrator who can sign in: make another one first.`);
  if (result === "changed")
    await auditCommand(sql, { workspaceId: null, action, subject: { kind: "operator", id } });
}

export async function known(sql: Sql, login: string): Promise<Operator> {
  const operator = await findOperator(sql, login);
  if (operator) return operator;
  const all = (await listOperators(sql)).map((each) => each.login);
  throw new UserError(`There is no operator ${login}; there are ${all.join(", ")}.`);
}

function lastAdmin(): UserError {
  return new UserError("This is the last admin of the workspace: make somebody else an admin first.");
}

const listed = (names: ReadonlyMap<string, string>) =>
  table<Operator>("No operators; `molva signin` makes the first.", {
    login: ({ login }) => login,
    name: ({ name }) => name,
    state: ({ disabled }) => (disabled ? "disabled" : "enabled"),
    roles: ({ administrator, roles: held }) =>
      [
        ...(administrator ? ["administrator"] : []),
        ...Object.entries(held).map(([workspace, role]) => `${role} in ${names.get(workspace) ?? workspace}`),
      ].join(", ") || "none",
  });

const invitationTable = table<Invitation>("No invitations.", {
  login: ({ login }) => login,
  role: ({ role }) => role,
  workspace: ({ workspace_id }) => workspace_id ?? "all",
  expires: ({ expires_at }) => moment(expires_at),
});

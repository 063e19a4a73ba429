import { Option } from "commander";
import {
  type ApiToken,
  createApiToken,
  listApiTokens,
  revokeApiToken,
  type Scope,
  scopes,
} from "../../http/index.ts";
import { systemClock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import {
  type AddCommand,
  type Common,
  configOf,
  inWords,
  moment,
  only,
  type Paged,
  paging,
  print,
  printing,
  printPage,
  table,
  withDatabase,
  workspaceOf,
} from "../../terminal/index.ts";
import { pageOfAll } from "../../workspaces/index.ts";

/** `molva token add|list|revoke`: API tokens for machines. */
export const addToken: AddCommand = (program, terminal) => {
  const command = program.command("token").description("API tokens for machines");

  printing(command.command("add").description("make an API token and print it once"))
    .argument("<name>", "what the token is for")
    .addOption(new Option("--scope <scope...>", "what it may do").choices(scopes).default(["read"], "read"))
    .option("--workspace <name>", "bind it to one workspace, by id or name; valid for all unless given")
    .action(async (name: string, options: Common & { scope: Scope[] }) => {
      const made = await withDatabase(configOf(terminal), async (sql) =>
        createApiToken(sql, {
          name,
          scopes: options.scope,
          workspaceId: await boundTo(sql, options),
          createdBy: null,
          expiresAt: null,
          clock: systemClock,
        }),
      );
      print(terminal, options, made, () => made.token);
    });

  paging(printing(command.command("list").description("tokens that were not revoked, newest first")))
    .option("--workspace <name>", "of one workspace, by id or name")
    .action(async (options: Paged) => {
      const page = await withDatabase(configOf(terminal), (sql) =>
        inWords(async () =>
          pageOfAll(await listApiTokens(sql, { workspaceId: await boundTo(sql, options) }), options),
        ),
      );
      printPage(terminal, options, page, listed);
    });

  printing(command.command("revoke").description("stop a token at once"))
    .argument("<token>", "its name, its id or the beginning of it")
    .action(async (typed: string, options: Common) => {
      const revoked = await withDatabase(configOf(terminal), async (sql) => {
        const found = tokenCalled(await listApiTokens(sql, { workspaceId: null }), typed);
        await revokeApiToken(sql, { id: found.id, workspaceId: null, clock: systemClock });
        return found;
      });
      print(
        terminal,
        options,
        { id: revoked.id, revoked: true },
        () => `${revoked.name} opens nothing any more.`,
      );
    });
};

async function boundTo(sql: Sql, { workspace }: Common): Promise<string | null> {
  return workspace === undefined ? null : workspaceOf(sql, workspace);
}

function tokenCalled(all: readonly ApiToken[], typed: string): ApiToken {
  const named = all.filter(({ name }) => name === typed);
  const found = named.length > 0 ? named : all.filter(({ id }) => id.startsWith(typed.toLowerCase()));
  return only("token", typed, found, ({ id, name }) => `${id}  ${name}`, "here");
}

const listed = table<ApiToken>("No tokens; `molva token add <name>` makes one.", {
  id: ({ id }) => id,
  scopes: ({ scopes: may }) => may.join(","),
  workspace: ({ workspace_id }) => workspace_id ?? "all",
  "last used": ({ last_used_at }) => (last_used_at ? moment(last_used_at) : "never"),
  name: ({ name }) => name,
});

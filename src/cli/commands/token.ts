import { Option } from "commander";
import {
  type ApiToken,
  createApiToken,
  listApiTokens,
  networkList,
  revokeApiToken,
  type Scope,
  scopes,
  setTokenNetworks,
} from "../../http/index.ts";
import { systemClock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import {
  type AddCommand,
  type Common,
  checked,
  configOf,
  exitCodes,
  inWords,
  moment,
  only,
  type Paged,
  paging,
  print,
  printing,
  printPage,
  table,
  UserError,
  withDatabase,
  workspaceOf,
} from "../../terminal/index.ts";
import { daysAfter, pageOfAll, tokenLife } from "../../workspaces/index.ts";
import { auditCommand } from "../audit-command.ts";

/** `molva token add|list|networks|revoke`: API tokens for machines. */
export const addToken: AddCommand = (program, terminal) => {
  const command = program.command("token").description("API tokens for machines");

  printing(command.command("add").description("make an API token and print it once"))
    .argument("<name>", "what the token is for")
    .addOption(new Option("--scope <scope...>", "what it may do").choices(scopes).default(["read"], "read"))
    .option("--workspace <name>", "bind it to one workspace, by id or name; valid for all unless given")
    .option(
      "--expires <when>",
      "30d, a moment such as 2027-01-31T12:00Z, or never",
      `${tokenLife.usualDays}d`,
    )
    .option("--network <network...>", "where it works: addresses or CIDR; everywhere unless given")
    .action(async (name: string, options: NewTokenOptions) => {
      const expiresAt = endOf(options.expires, systemClock.now());
      const networks = checked(networkList, options.network ?? [], "--network");
      const made = await withDatabase(configOf(terminal), async (sql) => {
        const workspaceId = await boundTo(sql, options);
        return sql.begin(async (tx) => {
          const token = await createApiToken(tx, {
            ...{ name, scopes: options.scope, workspaceId, expiresAt, networks },
            ...{ createdBy: null, clock: systemClock },
          });
          const meta = { name, scopes: token.scopes, expires_at: token.expires_at };
          await auditCommand(tx, { workspaceId, action: "token.created", subject: subjectOf(token), meta });
          return token;
        });
      });
      print(terminal, options, made, () => made.token);
    });

  paging(printing(command.command("list").description("tokens that were not revoked, newest first")))
    .option("--workspace <name>", "of one workspace, by id or name")
    .action(async (options: Paged) => {
      const page = await withDatabase(configOf(terminal), (sql) =>
        inWords(async () =>
          pageOfAll(await listApiTokens(sql, { workspaces: await oneOf(sql, options) }), options),
        ),
      );
      printPage(terminal, options, page, listed);
    });

  printing(command.command("networks").description("change where a token works"))
    .argument("<token>", "its name, its id or the beginning of it")
    .argument("[network...]", "addresses or CIDR; none: everywhere")
    .action(async (typed: string, given: string[], options: Common) => {
      const networks = checked(networkList, given, "networks");
      const changed = await withDatabase(configOf(terminal), async (sql) => {
        const found = tokenCalled(await listApiTokens(sql, { workspaces: null }), typed);
        const meta = { from: found.networks, to: networks };
        const { workspace_id: workspaceId } = found;
        await sql.begin(async (tx) => {
          await setTokenNetworks(tx, found.id, networks);
          await auditCommand(tx, {
            ...{ workspaceId, action: "token.networks_changed", subject: subjectOf(found), meta },
          });
        });
        return { ...found, networks };
      });
      print(terminal, options, changed, () => `${changed.name} works from ${whereOf(changed)}.`);
    });

  printing(command.command("revoke").description("stop a token at once"))
    .argument("<token>", "its name, its id or the beginning of it")
    .action(async (typed: string, options: Common) => {
      const revoked = await withDatabase(configOf(terminal), async (sql) => {
        const found = tokenCalled(await listApiTokens(sql, { workspaces: null }), typed);
        const workspaceId = found.workspace_id;
        await sql.begin(async (tx) => {
          await revokeApiToken(tx, { id: found.id, clock: systemClock });
          await auditCommand(tx, { workspaceId, action: "token.revoked", subject: subjectOf(found) });
        });
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

interface NewTokenOptions extends Common {
  readonly scope: Scope[];
  readonly expires: string;
  readonly network?: string[];
}

/** The end of a token's life; null: never. */
function endOf(typed: string, now: Date): Date | null {
  if (typed === "never") return null;
  const days = /^(\d{1,5})d$/.exec(typed)?.[1];
  const end = days === undefined ? new Date(typed) : daysAfter(now, Number(days));
  if (Number.isNaN(end.getTime()) || end <= now)
    throw new UserError(
      `--expires ${typed}: give 30d, a moment to come such as 2027-01-31T12:00Z, or never.`,
      exitCodes.usage,
    );
  return end;
}

function subjectOf({ id }: ApiToken) {
  return { kind: "token", id };
}

async function oneOf(sql: Sql, options: Common): Promise<string[] | null> {
  const workspaceId = await boundTo(sql, options);
  return workspaceId === null ? null : [workspaceId];
}

async function boundTo(sql: Sql, { workspace }: Common): Promise<string | null> {
  return workspace === undefined ? null : workspaceOf(sql, workspace);
}

function tokenCalled(all: readonly ApiToken[], typed: string): ApiToken {
  const named = all.filter(({ name }) => name === typed);
  const found = named.length > 0 ? named : all.filter(({ id }) => id.startsWith(typed.toLowerCase()));
  return only("token", typed, found, ({ id, name }) => `${id}  ${name}`, "here");
}

function whereOf({ networks }: ApiToken): string {
  return networks.join(",") || "everywhere";
}

const listed = table<ApiToken>("No tokens; `molva token add <name>` makes one.", {
  id: ({ id }) => id,
  scopes: ({ scopes: may }) => may.join(","),
  workspace: ({ workspace_id }) => workspace_id ?? "all",
  expires: ({ expires_at }) => (expires_at ? moment(expires_at) : "never"),
  networks: whereOf,
  "last used": ({ last_used_at }) => (last_used_at ? moment(last_used_at) : "never"),
  name: ({ name }) => name,
});

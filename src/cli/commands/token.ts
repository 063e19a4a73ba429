import { Option } from "commander";
import { createApiToken, type Scope, scopes } from "../../http/index.ts";
import { systemClock } from "../../kernel/clock/index.ts";
import { isUuid } from "../../kernel/ids/index.ts";
import { type AddCommand, configOf, print } from "../command.ts";
import { withDatabase } from "../database.ts";
import { exitCodes, UserError } from "../failure.ts";

/** `molva token <name>`: an API token for a machine, shown once. */
export const addToken: AddCommand = (program, terminal) => {
  program
    .command("token")
    .description("make an API token and print it once")
    .argument("<name>", "what the token is for")
    .addOption(new Option("--scope <scope...>", "what it may do").choices(scopes).default(["read"]))
    .option("--workspace <id>", "bind it to one workspace")
    .option("--json", "one line of JSON")
    .action(async (name: string, options: { scope: Scope[]; workspace?: string; json?: boolean }) => {
      if (options.workspace && !isUuid(options.workspace))
        throw new UserError(`${options.workspace} is not a workspace's id.`, exitCodes.usage);
      const made = await withDatabase(configOf(terminal), (sql) =>
        createApiToken(sql, {
          name,
          scopes: options.scope,
          workspaceId: options.workspace ?? null,
          createdBy: null,
          expiresAt: null,
          clock: systemClock,
        }),
      );
      print(terminal, options, made, () => made.token);
    });
};

import { publicUrlOf } from "../../configured/index.ts";
import { createSignInLink, ensureAdmin, listOperators, signInUrl } from "../../http/index.ts";
import { systemClock } from "../../kernel/clock/index.ts";
import {
  type AddCommand,
  commandActor,
  configOf,
  print,
  UserError,
  withDatabase,
} from "../../terminal/index.ts";
import { ensureWorkspace } from "../../workspaces/index.ts";

/** `molva signin [login]`: prints a new one-time link into the console. */
export const addSignin: AddCommand = (program, terminal) => {
  program
    .command("signin")
    .description("print a one-time link into the console, valid for 24 hours")
    .argument("[login]", "whose link", "admin")
    .option("--json", "one line of JSON")
    .action(async (login: string, options: { json?: boolean }) => {
      const config = configOf(terminal);
      const url = await withDatabase(config, async (sql) => {
        await ensureAdmin(sql, { clock: systemClock });
        await ensureWorkspace({ sql, clock: systemClock }, { operator: "molva signin" });
        const actor = commandActor();
        const token = await createSignInLink(sql, login, { clock: systemClock, actor });
        if (token) return signInUrl(publicUrlOf(config), token);
        const known = (await listOperators(sql)).map((operator) => operator.login);
        throw new UserError(`There is no operator ${login} who may sign in; there are ${known.join(", ")}.`);
      });
      print(terminal, options, { url }, () => url);
    });
};

import { resetSecondFactor } from "../../http/index.ts";
import { systemClock } from "../../kernel/clock/index.ts";
import {
  type AddCommand,
  type Common,
  commandActor,
  configOf,
  print,
  printing,
  UserError,
  withDatabase,
} from "../../terminal/index.ts";

/** `molva second-factor reset <login>`: for who has lost the phone and the recovery codes. */
export const addSecondFactor: AddCommand = (program, terminal) => {
  const command = program.command("second-factor").description("second factors of operators");

  printing(command.command("reset").description("remove an operator's second factor and end their sessions"))
    .argument("<login>", "whose")
    .action(async (login: string, options: Common) => {
      const reset = await withDatabase(configOf(terminal), (sql) =>
        resetSecondFactor(sql, login, { clock: systemClock, actor: commandActor() }),
      );
      if (reset === "unknown_operator") throw new UserError(`There is no operator ${login}.`);
      print(terminal, options, { login, reset: reset === "reset" }, () =>
        reset === "reset"
          ? `${login} signs in without a second factor now, and should set up a new one.`
          : `${login} has no second factor.`,
      );
    });
};

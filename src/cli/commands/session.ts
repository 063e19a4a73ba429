import { endSession, listSessions, type SessionRow } from "../../http/index.ts";
import { systemClock as clock } from "../../kernel/clock/index.ts";
import {
  type AddCommand,
  type Common,
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
} from "../../terminal/index.ts";
import { pageOfAll } from "../../workspaces/index.ts";
import { auditCommand } from "../audit-command.ts";
import { known } from "./operator.ts";

interface Whose {
  readonly operator?: string;
}

/** `molva session list|revoke`: where operators are signed in. */
export const addSessionCommand: AddCommand = (program, terminal) => {
  const command = program.command("session").description("where operators are signed in");

  paging(printing(command.command("list").description("sessions that still work, the last used first")))
    .option("--operator <login>", "of one operator")
    .action(async (options: Paged & Whose) => {
      const page = await withDatabase(configOf(terminal), (sql) =>
        inWords(async () => {
          const operatorId = options.operator === undefined ? null : (await known(sql, options.operator)).id;
          return pageOfAll(await listSessions(sql, { operatorId, clock }), options);
        }),
      );
      printPage(terminal, options, page, listed);
    });

  printing(command.command("revoke").description("end a session at once, or all of an operator"))
    .argument("[session]", "its id or the beginning of it")
    .option("--operator <login>", "all sessions of this operator")
    .action(async (typed: string | undefined, options: Common & Whose) => {
      if ((typed === undefined) === (options.operator === undefined))
        throw new UserError("Give a session, or --operator with a login.", exitCodes.usage);
      const revoked = await withDatabase(configOf(terminal), async (sql) => {
        const operatorId = options.operator === undefined ? null : (await known(sql, options.operator)).id;
        const open = await listSessions(sql, { operatorId, clock });
        const meant =
          typed === undefined
            ? open
            : [only("session", typed, open.filter(beginsWith(typed)), lineOf, "open")];
        await sql.begin(async (tx) => {
          for (const { id, operator_id } of meant) {
            await endSession(tx, { id, operatorId: operator_id });
            const subject = { kind: "session", id };
            const meta = { operator_id };
            await auditCommand(tx, { workspaceId: null, action: "session.revoked", subject, meta });
          }
        });
        return meant.length;
      });
      print(terminal, options, { revoked }, () => `Ended: ${revoked}.`);
    });
};

function beginsWith(typed: string) {
  return ({ id }: SessionRow) => id.startsWith(typed.toLowerCase());
}

function lineOf({ id, login, user_agent }: SessionRow): string {
  return `${id}  ${login}  ${user_agent ?? ""}`;
}

const listed = table<SessionRow>("Nobody is signed in.", {
  id: ({ id }) => id,
  login: ({ login }) => login,
  "signed in": ({ created_at }) => moment(created_at),
  "last seen": ({ last_seen_at }) => moment(last_seen_at),
  address: ({ address }) => address ?? "–",
  browser: ({ user_agent }) => user_agent ?? "–",
});

import { z } from "zod";
import { refusedAs, walk } from "../check-walk.ts";
import type { ChannelCheck, CheckContext, CheckFinding, SendError } from "../contract.ts";
import { ifReadable } from "../if-readable.ts";
import { boardIdOf, boardOf } from "./boards.ts";
import { type Connection, call } from "./client.ts";
import { mayAsk } from "./credential.ts";

const accountShape = z.object({ username: z.string(), business_name: ifReadable(z.string()) });

/** Checks whose account it is, whether it owns the board, and whether its owner allowed creating Pins. */
export function check(connection: Connection<CheckContext>): Promise<ChannelCheck> {
  const { credential } = connection.context;
  return walk([
    async () => {
      const reply = await call({ method: "GET", path: "/user_account" }, accountShape, connection);
      if (reply.kind !== "ok") return refusedAs("token", reply.error, tokenFinding);
      return { step: "token", finding: "ok", facts: { bot: reply.result.username } };
    },
    async () => {
      const board = await boardIdOf(connection);
      if (board.kind !== "ok") return refusedAs("chat", board.error, boardFinding);
      const reply = await boardOf(board.result, connection);
      if (reply.kind !== "ok") return refusedAs("chat", reply.error, boardFinding);
      return { step: "chat", finding: "ok", facts: { chat: reply.result.name ?? reply.result.id } };
    },
    async () => ({
      step: "rights",
      finding: mayAsk(credential, "pins:write") ? "ok" : "may_not_post",
    }),
  ]);
}

function tokenFinding({ code }: SendError): CheckFinding {
  if (code === "account_restricted") return "account_restricted";
  return code === "permission_missing" ? "may_not_look" : "token_refused";
}

function boardFinding({ code, raw }: SendError): CheckFinding {
  if (code === "permission_missing") return "may_not_look";
  return foreignShape.safeParse(raw).success ? "board_of_another" : "chat_not_found";
}

const foreignShape = z.object({ status: z.literal(403) });

import type { Clock } from "../../../kernel/clock/index.ts";
import type { Sql, Transaction } from "../../../kernel/db/index.ts";
import { type StartedSession, startSession } from "../sessions.ts";
import type { Visitor } from "../sign-in.ts";
import { type Challenge, createChallenge, type FirstStep } from "./challenges.ts";

export type Entered =
  | { readonly kind: "signed_in"; readonly operatorId: string; readonly session: StartedSession }
  | { readonly kind: "second_step"; readonly challenge: Challenge };

interface Given {
  readonly operatorId: string;
  readonly method: FirstStep;
  readonly clock: Clock;
}

/** After the first step, whichever it was: a session, or a challenge for an operator who has a second factor. */
export async function enter(sql: Sql | Transaction, visitor: Visitor, given: Given): Promise<Entered> {
  const { operatorId, method, clock } = given;
  const [enrolled] = await sql`
    select from molva.second_factors where operator_id = ${operatorId} and confirmed_at is not null
  `;
  if (enrolled)
    return { kind: "second_step", challenge: await createChallenge(sql, { operatorId, method, clock }) };
  return {
    kind: "signed_in",
    operatorId,
    session: await startSession(sql, { operatorId, ...visitor, clock }),
  };
}

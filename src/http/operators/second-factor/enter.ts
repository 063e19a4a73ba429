import { noteAudit } from "../../../audit/index.ts";
import type { Clock } from "../../../kernel/clock/index.ts";
import type { Transaction } from "../../../kernel/db/index.ts";
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

/**
 * After the first step, whichever it was: a session with its entry in the audit, or a challenge for an operator who has a second factor,
 * whose entry comes with the second step.
 */
export async function enter(tx: Transaction, visitor: Visitor, given: Given): Promise<Entered> {
  const { operatorId, method, clock } = given;
  const [enrolled] = await tx`
    select from molva.second_factors where operator_id = ${operatorId} and confirmed_at is not null
  `;
  if (enrolled)
    return { kind: "second_step", challenge: await createChallenge(tx, { operatorId, method, clock }) };
  const session = await startSession(tx, { operatorId, ...visitor, clock });
  await noteAudit(
    tx,
    {
      ...{ workspaceId: null, action: "signin.succeeded", result: "ok", address: visitor.address },
      actor: { kind: "operator", id: operatorId },
      subject: { kind: "session", id: session.id },
      meta: { by: method },
    },
    clock.now(),
  );
  return { kind: "signed_in", operatorId, session };
}

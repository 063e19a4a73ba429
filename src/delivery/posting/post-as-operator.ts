import { type Problem, problem } from "../../http/index.ts";
import type { Clock } from "../../kernel/clock/index.ts";
import type { Transaction } from "../../kernel/db/index.ts";
import { uuidv7 } from "../../kernel/ids/index.ts";
import type { Platforms } from "../../platforms/index.ts";
import type { Accepted } from "../ingest/accept-post.ts";
import { readPost } from "../ingest/body.ts";
import { addressError, parsePostErrors } from "../ingest/post-errors.ts";
import { prepareAndCompile } from "../ingest/prepare-and-compile.ts";

export interface PostingDeps {
  readonly platforms: Platforms;
  readonly clock: Clock;
}

/** Takes a post from an operator or a token into the queue; `actor` is written to its events. What is wrong with it is thrown as a problem. */
export async function postAsOperator(
  tx: Transaction,
  workspaceId: string,
  given: unknown,
  actor: string,
  { platforms, clock }: PostingDeps,
): Promise<Accepted> {
  const read = readPost(given);
  if ("faults" in read) throw problem("invalid_request", { errors: read.faults });
  const prepared = await prepareAndCompile(tx, workspaceId, read.post, platforms);
  if ("fault" in prepared) throw refused(prepared.fault);
  try {
    const [row] = await tx<[{ answer: Accepted }]>`
      select delivery.accept_message(
        ${workspaceId}, ${actor}, ${uuidv7(clock)}, ${JSON.stringify(prepared.post)}::text::jsonb,
        ${JSON.stringify(prepared.compiled)}::text::jsonb, ${clock.now()}) as answer`;
    return row.answer;
  } catch (error) {
    const fault = addressError(error);
    throw fault === undefined ? error : refused(fault);
  }
}

function refused(fault: string): Problem {
  return problem("invalid_request", { errors: parsePostErrors(fault) });
}

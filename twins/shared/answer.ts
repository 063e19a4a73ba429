import { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import type { FastifyReply } from "fastify";
import type { AnswerFlaw, Call, FaultKind, TwinContext } from "./contract.ts";

/** A provider's answer to one call. A string `body` is sent as it is. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Replaces the body in the journal, if it contains secrets. */
  readonly kept?: unknown;
  /** Ids of the messages this call created, for the journal. */
  readonly created?: readonly string[];
  /** The same answer as a stream; `body` is what the journal keeps of it. */
  readonly pieces?: AsyncIterable<Uint8Array>;
}

export type StatusFault = Extract<FaultKind, { kind: "status" }>;

export interface ProviderCall {
  readonly call: Call;
  /** The request for the journal: parsed, without tokens and file bytes. */
  readonly request: unknown;
  /** The whole request, if the journal keeps less of it. */
  readonly whole?: unknown;
  /** Does the provider's work. The provider's errors are answers too; an exception is a bug of the twin. */
  work(flaw?: AnswerFlaw): Promise<Answer>;
  /** The provider's body and headers for a scripted status. */
  refusal(fault: StatusFault): Answer;
}

/**
 * Carry one provider call through the fault scripts to its answer, and write it down.
 * What a fault does, and whether the provider's work is done all the same:
 *   status       answered at once       not done
 *   delay        later, then as usual   done, even if the client has left meanwhile
 *   hang         never                  not done, or done with `after`
 *   trickle      a byte a second        done
 *   drop_before  connection cut         not done
 *   drop_after   connection cut         done
 *   malformed    something not JSON     done
 *   answer       as the flaw says       done
 */
export async function answerCall(
  context: TwinContext,
  reply: FastifyReply,
  provider: ProviderCall,
): Promise<FastifyReply> {
  const fault = context.faults.take(provider.call, provider.whole ?? provider.request);
  const record = (status: number | "dropped" | "hung", answer?: Answer) =>
    context.journal.add({
      ...provider.call,
      request: provider.request,
      status,
      response: answer?.kept ?? answer?.body ?? null,
      ...(fault && { fault: fault.kind }),
      ...(answer?.created?.length && { created: answer.created }),
    });

  switch (fault?.kind) {
    case "status": {
      const answer = provider.refusal(fault);
      record(answer.status, answer);
      return send(reply, answer);
    }
    case "drop_before":
      record("dropped");
      return cut(reply);
    case "drop_after":
      record("dropped", await provider.work());
      return cut(reply);
    case "hang":
      record("hung", fault.after ? await provider.work() : undefined);
      return hang(reply);
    case "malformed": {
      const answer = await provider.work();
      record(answer.status, answer);
      return send(reply, { status: answer.status, body: '{"ok":tru', headers: answer.headers ?? {} });
    }
    case "trickle": {
      const answer = await provider.work();
      record(answer.status, answer);
      return send(reply, { ...answer, pieces: trickle(answer.body, context.stopping) });
    }
    case "delay":
      await pause(fault.ms, undefined, { signal: context.stopping }).catch(() => {});
  }
  const answer = await provider.work(fault?.kind === "answer" ? fault.flaw : undefined);
  record(answer.status, answer);
  return send(reply, answer);
}

function send(reply: FastifyReply, answer: Answer): FastifyReply {
  reply.code(answer.status).headers({ "content-type": "application/json", ...answer.headers });
  if (answer.pieces) return reply.send(Readable.from(answer.pieces, { objectMode: false }));
  return reply.send(typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body));
}

function cut(reply: FastifyReply): FastifyReply {
  reply.hijack();
  reply.raw.socket?.destroy();
  return reply;
}

const byteEveryMs = 1_000;

/** Ends early when the twins stop; a client that leaves ends it, too. */
async function* trickle(body: unknown, stopping: AbortSignal): AsyncGenerator<Uint8Array> {
  const whole = Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
  for (let place = 0; place < whole.length && !stopping.aborted; place++) {
    yield whole.subarray(place, place + 1);
    await pause(byteEveryMs, undefined, { signal: stopping }).catch(() => {});
  }
}

/** The socket stays open until the client leaves; when the twins stop, the server closes it. */
function hang(reply: FastifyReply): FastifyReply {
  reply.hijack();
  return reply;
}

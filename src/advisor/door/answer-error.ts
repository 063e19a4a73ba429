import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { Problem } from "../../http/index.ts";
import { Refusal } from "./refusal.ts";

export const errorBody = z
  .object({
    error: z.looseObject({
      code: z.string().describe("The word of the document: bad_request, plan_required, rate_limited, …"),
      reason: z.string().describe("What exactly, such as missing_text or daily_limit_exceeded"),
      message: z.string(),
    }),
  })
  .meta({ id: "AdvisorError" });

/** Every error of `/v1` in the one form; what is a fault of ours is logged and not told. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const refusal = refusalOf(error);
  if (refusal.code === "internal") request.log.error({ err: error }, "a request of the advisor failed");
  if (refusal.details.retryAfterSec) reply.header("retry-after", String(refusal.details.retryAfterSec));
  if (refusal.status === 401) reply.header("www-authenticate", 'Bearer realm="advisor"');
  reply.code(refusal.status).header("cache-control", "no-store").type("application/json");
  reply.send(Buffer.from(JSON.stringify(refusal.body())));
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof Problem && error.statusCode < 500)
    return new Refusal("bad_request", error.code, error.message, { more: { errors: error.errors } });
  if (isOfFastify(error))
    return new Refusal("bad_request", reasons[error.code] ?? "malformed", error.message);
  return new Refusal("internal", "internal", "Something went wrong on our side; send the request again.");
}

const reasons: Readonly<Record<string, string>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: "payload_too_large",
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "wrong_content_type",
};

function isOfFastify(error: unknown): error is Error & { code: string } {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const status = error instanceof Error && "statusCode" in error ? Number(error.statusCode) : 500;
  return code.startsWith("FST_") && status < 500;
}

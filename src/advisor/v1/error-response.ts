import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { Problem } from "../../http/index.ts";
import { codeOf } from "../../kernel/errors/index.ts";
import { Refusal } from "./refusal.ts";

export const errorBody = z
  .object({
    error: z.looseObject({
      code: z.string().describe("bad_request, plan_required, rate_limited, …"),
      reason: z.string().describe("The specific reason, such as missing_text or daily_limit_exceeded"),
      message: z.string(),
    }),
  })
  .meta({ id: "AdvisorError" });

/** Sends every error of `/v1` in one form; internal errors are logged, not shown. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const refusal = refusalOf(error);
  if (refusal.code === "internal")
    request.log.error(
      { err: error, method: request.method, route: request.routeOptions.url },
      "a request of the advisor failed",
    );
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
  const status = error instanceof Error && "statusCode" in error ? Number(error.statusCode) : 500;
  return (codeOf(error)?.startsWith("FST_") ?? false) && status < 500;
}

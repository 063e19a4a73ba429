import type { FastifyReply, FastifyRequest } from "fastify";
import type { httpProblems } from "./codes.ts";
import { problem } from "./index.ts";
import { Problem, problemMediaType } from "./problem.ts";

/** Fastify's own errors, by their code where the status is not specific enough. */
const byCode: Readonly<Record<string, keyof typeof httpProblems>> = {
  FST_ERR_CTP_INVALID_JSON_BODY: "invalid_json",
  FST_ERR_CTP_EMPTY_JSON_BODY: "invalid_json",
  FST_ERR_BAD_URL: "invalid_url",
};

const byStatus: Readonly<Record<number, keyof typeof httpProblems>> = {
  400: "invalid_request",
  // Only from the file server, for paths that lead out of its folder.
  403: "not_found",
  404: "not_found",
  413: "payload_too_large",
  414: "url_too_long",
  415: "unsupported_media_type",
};

/** Turns a thrown error into an answer. Only errors of the server are logged, in full. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const answer = problemFrom(error);
  if (answer.statusCode >= 500) {
    const { method, routeOptions } = request;
    // The route's pattern instead of the address, which may hold a secret.
    request.log.error({ err: error, method, route: routeOptions.url }, "a request failed");
  }
  sendProblem(reply, answer);
}

export function sendProblem(reply: FastifyReply, answer: Problem): void {
  // Sent as bytes, so that the route's response schemas do not change it and no charset is added to its type.
  reply
    .code(answer.statusCode)
    .headers(answer.headers)
    .header("cache-control", "no-store")
    .type(problemMediaType)
    .send(Buffer.from(JSON.stringify(answer.body())));
}

function problemFrom(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (!isRefusal(error)) return problem("internal");
  const code = byCode[error.code ?? ""] ?? byStatus[error.statusCode] ?? "invalid_request";
  return problem(code, { detail: error.message });
}

/** Only a `Problem` is shown to callers: the message of any other error may hold secrets. */
function isRefusal(error: unknown): error is Error & { code?: string; statusCode: number } {
  if (!(error instanceof Error && "statusCode" in error && typeof error.statusCode === "number"))
    return false;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  const ofFastify = code.startsWith("FST_");
  const ofFileServer = "expose" in error && error.expose === true;
  // Fastify sets a status on the error of a body whose sender disconnected; nobody reads the answer.
  const ofBrokenBody = code === "ECONNRESET";
  return (ofFastify || ofFileServer || ofBrokenBody) && error.statusCode < 500;
}

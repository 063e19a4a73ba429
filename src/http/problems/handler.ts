import type { FastifyReply, FastifyRequest } from "fastify";
import type { httpProblems } from "./codes.ts";
import { problem } from "./index.ts";
import { Problem, problemMediaType } from "./problem.ts";

/** Fastify's own refusals, by their code where the status says too little. */
const byCode: Readonly<Record<string, keyof typeof httpProblems>> = {
  FST_ERR_CTP_INVALID_JSON_BODY: "invalid_json",
  FST_ERR_CTP_EMPTY_JSON_BODY: "invalid_json",
  FST_ERR_BAD_URL: "invalid_url",
};

const byStatus: Readonly<Record<number, keyof typeof httpProblems>> = {
  400: "invalid_request",
  // Said by the file server only, of paths that lead out of its folder.
  403: "not_found",
  404: "not_found",
  413: "payload_too_large",
  414: "url_too_long",
  415: "unsupported_media_type",
};

/** Turns whatever was thrown into an answer; only faults of the server are logged, with all they say. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const answer = problemFrom(error);
  if (answer.statusCode >= 500) request.log.error({ err: error }, "a request failed");
  sendProblem(reply, answer);
}

export function sendProblem(reply: FastifyReply, answer: Problem): void {
  // Sent as bytes: a route's own response schemas must not reshape it, nor a charset be added to its type.
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

/** Only what was thrown on purpose may be told: an error that merely carries a status may hold anything. */
function isRefusal(error: unknown): error is Error & { code?: string; statusCode: number } {
  if (!(error instanceof Error && "statusCode" in error && typeof error.statusCode === "number"))
    return false;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  const ofFastify = code.startsWith("FST_");
  const ofFileServer = "expose" in error && error.expose === true;
  // Fastify gives a status to the error of a body whose sender went away; nobody reads the answer.
  const ofBrokenBody = code === "ECONNRESET";
  return (ofFastify || ofFileServer || ofBrokenBody) && error.statusCode < 500;
}

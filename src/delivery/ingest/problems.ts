import { type ProblemTable, problemsOf } from "../../http/index.ts";

/** The error codes of ingest, besides the common ones. */
export const ingestProblems = {
  missing_endpoint_secret: {
    status: 401,
    title: "The endpoint's secret is missing",
    meaning: "Send the endpoint's secret in `X-Molva-Secret`, or as `Authorization: Bearer`.",
  },
  endpoint_auth_failed: {
    status: 403,
    title: "The secret opens no endpoint",
    meaning: "No enabled endpoint has this secret: it is mistyped, was rotated, or the endpoint is disabled.",
  },
  ingress_payload_rejected: {
    status: 413,
    title: "The post is too large",
    meaning:
      "The body is larger than the endpoint's `max_payload_bytes`. Send media as links rather than inline.",
  },
  ingress_rate_limited: {
    status: 429,
    title: "Posts come too fast",
    meaning: "The endpoint's `ingress_rps` is used up; `Retry-After` says when to try again.",
  },
} as const satisfies ProblemTable;

export const ingestProblem = problemsOf(ingestProblems);

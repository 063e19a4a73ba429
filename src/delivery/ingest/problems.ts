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
  ingress_network_refused: {
    status: 403,
    title: "The endpoint takes nothing from this network",
    meaning:
      "The secret is right, but the endpoint has allowed `networks` and the sender's address is in none of them.",
  },
  webhook_signature_missing: {
    status: 401,
    title: "The signature is missing",
    meaning:
      "This address takes signed requests: send `webhook-id`, `webhook-timestamp` and `webhook-signature`. With a secret, post to `/api/v1/ingest`.",
  },
  webhook_signature_refused: {
    status: 403,
    title: "The signature fits no endpoint",
    meaning:
      "No signature was made over this body, id and time with the endpoint's signing secret, or there is no endpoint at this address that takes signatures. Sign the body as it is sent, to the byte.",
  },
  webhook_timestamp_refused: {
    status: 403,
    title: "The request was not signed just now",
    meaning:
      "`webhook-timestamp` differs from the server's time by more than 5 minutes: check the clock, and sign each attempt anew.",
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

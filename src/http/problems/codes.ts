import type { ProblemTable } from "./problem.ts";

/** The problem codes of the server itself. Modules have tables of their own. */
export const httpProblems = {
  invalid_json: {
    status: 400,
    title: "The body is not JSON",
    meaning: "The body could not be read as JSON in UTF-8, or is empty.",
  },
  invalid_request: {
    status: 400,
    title: "The request is not valid",
    meaning: "A field is missing, unknown, or of the wrong type; `errors` names each. Nothing is coerced.",
  },
  ambiguous_id: {
    status: 400,
    title: "Several things have such an id",
    meaning:
      "An id was given by its beginning, and more than one begins so; `errors` lists them. Give more of it.",
  },
  invalid_url: {
    status: 400,
    title: "The address is not valid",
    meaning: "The path holds a percent-encoding that cannot be decoded.",
  },
  not_signed_in: {
    status: 401,
    title: "Sign in first",
    meaning: "The route needs an operator's session or an API token, and neither was given or still holds.",
  },
  signin_refused: {
    status: 401,
    title: "Login or password is wrong",
    meaning: "There is no such operator, or the password does not fit; which of the two is not said.",
  },
  signin_link_refused: {
    status: 401,
    title: "The sign-in link no longer works",
    meaning: "Links work once and for 24 hours. `molva signin` prints a new one.",
  },
  scope_missing: {
    status: 403,
    title: "The token lacks a scope",
    meaning: "The API token is good, but was made without the scope that the route needs.",
  },
  other_workspace: {
    status: 403,
    title: "The token belongs to another workspace",
    meaning: "The API token is bound to one workspace and asked about another.",
  },
  operators_only: {
    status: 403,
    title: "Only a signed-in operator may do this",
    meaning: "Sessions and passwords belong to people; API tokens have none.",
  },
  cross_origin: {
    status: 403,
    title: "The request came from another site",
    meaning:
      "A change made with a session cookie must come from the console itself. Machines use API tokens.",
  },
  not_found: {
    status: 404,
    title: "Not found",
    meaning: "There is nothing at this path, or nothing with this id that the caller may see.",
  },
  method_not_allowed: {
    status: 405,
    title: "The method is not allowed here",
    meaning: "The path exists, but not for this method; the `Allow` header lists those it has.",
  },
  conflict: {
    status: 409,
    title: "The change conflicts with the current state",
    meaning: "What was asked contradicts what is stored; `detail` says how.",
  },
  payload_too_large: {
    status: 413,
    title: "The body is too large",
    meaning: "The body is larger than the route takes: 1 MiB unless it says otherwise.",
  },
  url_too_long: {
    status: 414,
    title: "The address is too long",
    meaning: "A part of the path is longer than any id can be.",
  },
  unsupported_media_type: {
    status: 415,
    title: "The body has a type that is not understood",
    meaning: "Bodies are `application/json` unless the route says otherwise.",
  },
  password_refused: {
    status: 422,
    title: "The password was not changed",
    meaning: "The current password is wrong, or the new one is too easy to guess; `errors` says which.",
  },
  unprocessable: {
    status: 422,
    title: "The request cannot be carried out",
    meaning: "The request is well formed, but names something that cannot be used; `errors` says what.",
  },
  signin_throttled: {
    status: 429,
    title: "Too many attempts to sign in",
    meaning:
      "Too many passwords or links were tried for this login or from this address; `Retry-After` says how long to wait.",
  },
  internal: {
    status: 500,
    title: "Something went wrong inside",
    meaning:
      "An error in the server. The log has the details under the request id of the `X-Request-Id` header.",
  },
  signin_busy: {
    status: 503,
    title: "Too many people sign in at this moment",
    meaning:
      "Checking passwords is slow on purpose, so only so many are checked and wait at once; try again after `Retry-After`. Links still work.",
  },
} as const satisfies ProblemTable;

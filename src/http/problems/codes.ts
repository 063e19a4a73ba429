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
  invitation_refused: {
    status: 401,
    title: "The invitation no longer works",
    meaning: "Invitations work once and for 7 days, unless they are revoked. Ask for a new one.",
  },
  second_step_refused: {
    status: 401,
    title: "The code is wrong",
    meaning:
      "The code of the authenticator app is wrong, of another time or already used, or the recovery code is. The challenge still holds.",
  },
  second_step_expired: {
    status: 401,
    title: "The sign-in took too long",
    meaning: "The challenge is unknown, used, or older than five minutes. Sign in again from the first step.",
  },
  second_factor_required: {
    status: 403,
    title: "Set up a second factor first",
    meaning:
      "Everybody here must have one (MOLVA_REQUIRE_SECOND_FACTOR). Set it up in the console under *Account*, or by `POST /api/v1/session/second-factor`.",
  },
  signin_too_old: {
    status: 403,
    title: "Sign in again first",
    meaning:
      "An operator without a password makes one, or changes a second factor, within ten minutes after signing in: sign out, sign in again and repeat it.",
  },
  scope_missing: {
    status: 403,
    title: "A scope is missing",
    meaning:
      "The caller is known, but the API token, or the operator's role in this workspace, lacks the scope that the route needs.",
  },
  other_workspace: {
    status: 403,
    title: "No access to this workspace",
    meaning:
      "The API token is bound to another workspace, or the operator has no role in this one: an admin of it can invite them.",
  },
  administrators_only: {
    status: 403,
    title: "Only an administrator of the installation may do this",
    meaning:
      "This is about all workspaces. `molva operator role <login> administrator` makes somebody an administrator.",
  },
  network_refused: {
    status: 403,
    title: "The API token does not work from this network",
    meaning: "The token has allowed networks, and the caller's address is in none of them.",
  },
  token_too_strong: {
    status: 403,
    title: "A token cannot be stronger than its maker",
    meaning:
      "A new API token must not live longer or work from more networks than the caller's own, and only an administrator of the installation makes tokens that never expire; `detail` says more.",
  },
  operators_only: {
    status: 403,
    title: "Only a signed-in operator may do this",
    meaning: "Sessions, passwords, members and invitations are for people to manage; API tokens cannot.",
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
  second_factor_on: {
    status: 409,
    title: "There is a second factor already",
    meaning: "Switch it off before another one is set up.",
  },
  second_factor_off: {
    status: 409,
    title: "There is no second factor",
    meaning: "What was asked needs one; set it up first.",
  },
  second_factor_not_begun: {
    status: 409,
    title: "There is nothing to confirm",
    meaning: "No second factor waits to be confirmed: begin with `POST /api/v1/session/second-factor`.",
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
  second_factor_refused: {
    status: 422,
    title: "The second factor was not changed",
    meaning: "The password or the code is wrong, or the code was used already; `errors` says which.",
  },
  unprocessable: {
    status: 422,
    title: "The request cannot be carried out",
    meaning: "The request is well formed, but names something that cannot be used; `errors` says what.",
  },
  signature_invalid: {
    status: 401,
    title: "The signature is not right",
    meaning:
      "Only QStash may call this, signed with one of the keys in QSTASH_CURRENT_SIGNING_KEY and QSTASH_NEXT_SIGNING_KEY, each signature once.",
  },
  too_many_unsigned: {
    status: 429,
    title: "Too many requests without a signature",
    meaning:
      "An address may make 100 such requests a minute; signed ones are not counted. `Retry-After` says how long to wait.",
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

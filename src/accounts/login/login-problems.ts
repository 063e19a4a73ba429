import { type Problem, type ProblemTable, problemsOf } from "../../http/index.ts";
import type { LoginErrorCode } from "../../platforms/index.ts";
import { accountsProblem } from "../admin/problems.ts";

export const loginProblems = {
  login_phone_refused: {
    status: 400,
    title: "Telegram does not accept this phone number",
    meaning: "No Telegram account has this number, or it is mistyped.",
  },
  login_phone_banned: {
    status: 409,
    title: "Telegram has banned this phone",
    meaning: "Telegram blocks this number; contact its support.",
  },
  login_code_wrong: {
    status: 400,
    title: "The code is wrong",
    meaning: "Enter the code again, or request another one.",
  },
  login_code_expired: {
    status: 400,
    title: "The code has expired",
    meaning: "Request another code, or start again.",
  },
  login_password_wrong: {
    status: 400,
    title: "The password is wrong",
    meaning: "Enter the password of Telegram's two-step verification again.",
  },
  login_session_refused: {
    status: 400,
    title: "The session cannot be used",
    meaning: "It is not a session of mtcute, GramJS, Telethon or Pyrogram, or Telegram has ended it.",
  },
  login_too_often: {
    status: 429,
    title: "Too many requests to Telegram",
    meaning:
      "Too many codes or attempts for this phone; `Retry-After` says how long to wait, if Telegram did.",
  },
  login_codes_limited: {
    status: 429,
    title: "Too many codes were requested",
    meaning:
      "At most five codes an hour for one phone and sixty for a workspace, so that Telegram does not block the phone; `Retry-After` says how long to wait. Signing in by QR code still works.",
  },
  login_expired: {
    status: 410,
    title: "The attempt is over",
    meaning: "It was cancelled, has ended, or took too long: start again.",
  },
  login_other_step: {
    status: 409,
    title: "The attempt waits for something else",
    meaning: "`detail` says which step comes next.",
  },
} as const satisfies ProblemTable;

export const loginProblem = problemsOf(loginProblems);

const byCode = {
  phone_invalid: "login_phone_refused",
  phone_banned: "login_phone_banned",
  phone_flood: "login_too_often",
  flood_wait: "login_too_often",
  code_invalid: "login_code_wrong",
  code_expired: "login_code_expired",
  password_invalid: "login_password_wrong",
  session_invalid: "login_session_refused",
} as const satisfies Partial<Record<LoginErrorCode, keyof typeof loginProblems>>;

export function refusedStep(error: { code: string; message: string; retryAfterMs?: number }): Problem {
  const detail = `Telegram: ${error.message}`;
  if (!isKnown(error.code)) return accountsProblem("account_refused", { detail });
  const { retryAfterMs } = error;
  return loginProblem(byCode[error.code], {
    detail,
    ...(retryAfterMs !== undefined && { headers: { "retry-after": String(Math.ceil(retryAfterMs / 1000)) } }),
  });
}

function isKnown(code: string): code is keyof typeof byCode {
  return Object.hasOwn(byCode, code);
}

import { type Problem, type ProblemTable, problemsOf } from "../../http/index.ts";
import type { LoginErrorCode } from "../../platforms/index.ts";
import { accountsProblem } from "../admin/problems.ts";

/** The codes of signing accounts in. */
export const loginProblems = {
  login_phone_refused: {
    status: 400,
    title: "Telegram does not take this phone",
    meaning: "Nobody has Telegram by this number, or it is written wrongly.",
  },
  login_phone_banned: {
    status: 409,
    title: "Telegram has banned this phone",
    meaning: "Telegram lets this number in nowhere; ask its support.",
  },
  login_code_wrong: {
    status: 400,
    title: "The code is wrong",
    meaning: "The attempt goes on: enter the code again, or ask for another one.",
  },
  login_code_expired: {
    status: 400,
    title: "The code has expired",
    meaning: "Ask for another code, or begin again.",
  },
  login_password_wrong: {
    status: 400,
    title: "The password is wrong",
    meaning: "It is the password of Telegram's two-step verification. The attempt goes on: enter it again.",
  },
  login_session_refused: {
    status: 400,
    title: "The session is of no use",
    meaning: "It is none of mtcute, GramJS, Telethon and Pyrogram, or Telegram knows it no longer.",
  },
  login_too_often: {
    status: 429,
    title: "Telegram has been asked too often",
    meaning: "Too many codes or tries for this phone; `Retry-After` says how long to wait when Telegram did.",
  },
  login_codes_limited: {
    status: 429,
    title: "Too many codes were asked for",
    meaning:
      "Within an hour five codes may be asked for one phone and sixty in a workspace, before Telegram blocks the phone; `Retry-After` says how long to wait. Signing in by QR code still works.",
  },
  login_expired: {
    status: 410,
    title: "The attempt is over",
    meaning: "It was called off, has ended, or nobody went on with it in time: begin again.",
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

/** What a step was refused with, as its caller hears it. */
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

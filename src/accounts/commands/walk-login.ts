import { setTimeout as pause } from "node:timers/promises";
import { Problem } from "../../http/index.ts";
import { type Terminal, UserError } from "../../terminal/index.ts";
import { enterCode, enterPassword, resendCode } from "../login/by-phone.ts";
import { lookAtLogin } from "../login/by-qr.ts";
import type { LoginView } from "../login/login-attempts.ts";
import { qrText } from "./qr.ts";
import type { AtAccounts } from "./with-accounts.ts";

/** How often Telegram is asked whether the code was scanned. */
const lookEveryMs = 2_000;

const sentTo = {
  app: "Telegram sent a code to the account's other devices, in the chat Telegram.",
  sms: "Telegram sent a code by SMS.",
  call: "Telegram calls with a code.",
  email: "Telegram sent a code by e-mail.",
  other: "Telegram sent a code.",
} as const;

/** After these the same question is asked once more. */
const mistakes: readonly string[] = ["login_code_wrong", "login_code_expired", "login_password_wrong"];

/** Leads a person from the first step to the last. */
export async function walkLogin(terminal: Terminal, at: AtAccounts, begun: LoginView): Promise<LoginView> {
  let view = begun;
  if (view.step === "code") terminal.err(sentTo[view.sent_to ?? "other"]);
  while (view.step !== "done") {
    const { id } = view;
    if (view.step === "cancelled" || id === null) throw new UserError("The sign-in is over: begin again.");
    try {
      view = await (view.step === "qr" ? scanned(terminal, at, view, id) : answered(terminal, at, view, id));
    } catch (error) {
      if (!(error instanceof Problem) || !mistakes.includes(error.code)) throw error;
      terminal.err(`${error.message} Try again.`);
    }
  }
  return view;
}

/** An interrupted sign-in continues at its step. */
export function beginAgain({ login, workspaceId, who }: AtAccounts, id: string): Promise<LoginView> {
  return lookAtLogin(login, workspaceId, id, who);
}

async function answered(
  terminal: Terminal,
  { login, workspaceId, who }: AtAccounts,
  { step, hint }: LoginView,
  id: string,
): Promise<LoginView> {
  if (step === "password") {
    const question = hint ? `Password (hint: ${hint}): ` : "Password: ";
    const password = await terminal.ask?.(question, { secret: true });
    return enterPassword(login, workspaceId, id, given(password, id), who);
  }
  const code = given(await terminal.ask?.("Code (or: resend): "), id).trim();
  if (code.toLowerCase() !== "resend") return enterCode(login, workspaceId, id, code, who);
  const view = await resendCode(login, workspaceId, id, who);
  terminal.err(sentTo[view.sent_to ?? "other"]);
  return view;
}

/** Shows the code, and anew whenever Telegram has changed it. */
async function scanned(
  terminal: Terminal,
  { login, workspaceId, who }: AtAccounts,
  begun: LoginView,
  id: string,
): Promise<LoginView> {
  let view = begun;
  let shown: string | undefined;
  while (view.step === "qr") {
    if (view.qr && view.qr.url !== shown) {
      shown = view.qr.url;
      terminal.err(qrText(shown));
      terminal.err(`Scan it with Telegram on a phone (Settings, Devices), or open there: ${shown}`);
    }
    await pause(lookEveryMs);
    view = await lookAtLogin(login, workspaceId, id, who);
  }
  return view;
}

/** Nobody answers any more: the attempt waits for whoever comes back. */
function given(typed: string | undefined, id: string): string {
  if (typed?.trim()) return typed;
  throw new UserError(`The sign-in waits. Go on with: molva account login --attempt ${id}`);
}

import { uuidv7 } from "../../kernel/ids/index.ts";
import type { Who } from "../admin/access.ts";
import { keepProxy } from "./account-proxies.ts";
import { goOn } from "./by-phone.ts";
import { finish } from "./finish-login.ts";
import { ownDevice } from "./known-account.ts";
import {
  type Attempt,
  addAttempt,
  attemptAt,
  connectedView,
  type LoginView,
  readAttempt,
  refOf,
  viewOf,
} from "./login-attempts.ts";
import { driverOf, type LoginDeps } from "./login-deps.ts";
import { refusedStep } from "./login-problems.ts";

/** Starts a sign-in by a QR code that a signed-in phone scans. */
export async function startByQr(
  deps: LoginDeps,
  workspaceId: string,
  { proxy }: { readonly proxy?: string | null | undefined },
  who: Who,
): Promise<LoginView> {
  const accountId = uuidv7(deps.clock);
  const device = ownDevice;
  if (proxy) await keepProxy(deps, { workspaceId, accountId }, proxy, deps.clock.now());
  const ref = await refOf(deps, workspaceId, { account_id: accountId, device });
  const shown = await driverOf(deps).logins.qr(ref);
  if (!shown.ok) throw refusedStep(shown.error);
  if (shown.value.step === "signed_in") {
    const entered = { accountId, device, person: shown.value.person, how: "qr" } as const;
    return connectedView(await finish(deps, workspaceId, entered, who), null);
  }
  const attempt = await addAttempt(deps, workspaceId, {
    ...{ account_id: accountId, owner: who.owner, method: "qr", phone: null, device },
    ...(shown.value.step === "qr" ? { step: "qr" } : { step: "password", hint: shown.value.hint ?? null }),
  });
  return viewOf(attempt, shown.value.step === "qr" ? { qr: linkOf(shown.value) } : {});
}

/** The state of the attempt; while a QR code is shown, asks Telegram whether it was scanned. */
export async function lookAtLogin(
  deps: LoginDeps,
  workspaceId: string,
  id: string,
  who: Who,
): Promise<LoginView> {
  const attempt = await readAttempt(deps.sql, workspaceId, id, who);
  if (attempt.step !== "qr" || attempt.expires_at <= deps.clock.now()) return ended(deps, attempt);
  const ref = await refOf(deps, workspaceId, attempt);
  const shown = await driverOf(deps).logins.qr(ref);
  if (!shown.ok) throw refusedStep(shown.error);
  if (shown.value.step === "qr") return viewOf(attempt, { qr: linkOf(shown.value) });
  return goOn(deps, workspaceId, await attemptAt(deps, workspaceId, id, ["qr"], who), shown.value, who);
}

function ended({ clock }: LoginDeps, attempt: Attempt): LoginView {
  const isOpen = attempt.step !== "done" && attempt.step !== "cancelled";
  return isOpen && attempt.expires_at <= clock.now()
    ? viewOf({ ...attempt, step: "cancelled" })
    : viewOf(attempt);
}

function linkOf({ url, expiresAt }: { url: string; expiresAt: Date }) {
  return { url, expires_at: expiresAt };
}

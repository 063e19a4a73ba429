import { uuidv7 } from "../../kernel/ids/index.ts";
import type { Who } from "../admin/access.ts";
import { keepProxy } from "./account-proxies.ts";
import { finish } from "./finish-login.ts";
import { ownDevice } from "./known-account.ts";
import { connectedView, type LoginView, refOf } from "./login-attempts.ts";
import { driverOf, type LoginDeps } from "./login-deps.ts";
import { refusedStep } from "./login-problems.ts";

interface ImportedSession {
  readonly session: string;
  readonly proxy?: string | undefined;
  readonly title?: string | undefined;
}

/** Imports a session of mtcute, GramJS, Telethon or Pyrogram. Its program must stop using it: Telegram ends a session that two clients use. */
export async function importSession(
  deps: LoginDeps,
  workspaceId: string,
  { session, proxy, title }: ImportedSession,
  who: Who,
): Promise<LoginView> {
  const driver = driverOf(deps);
  const accountId = uuidv7(deps.clock);
  const device = ownDevice;
  if (proxy !== undefined) await keepProxy(deps, { workspaceId, accountId }, proxy, deps.clock.now());
  const ref = await refOf(deps, workspaceId, { account_id: accountId, device });
  const answer = await driver.logins.importSession(ref, session);
  if (!answer.ok) {
    await driver.forget(ref);
    await keepProxy(deps, { workspaceId, accountId }, null, deps.clock.now());
    throw refusedStep(answer.error);
  }
  const { person } = answer.value;
  const own = await finish(deps, workspaceId, { accountId, device, person, title, how: "import" }, who);
  return connectedView(own, person.phone ?? null, own !== accountId);
}

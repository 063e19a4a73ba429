import { uuidv7 } from "../../kernel/ids/index.ts";
import type { Who } from "../admin/access.ts";
import { connectedView, type LoginView, refOf } from "./attempts.ts";
import { driverOf, type LoginDeps } from "./deps.ts";
import { ownDevice } from "./device.ts";
import { finish } from "./finish.ts";
import { refusedStep } from "./problems.ts";
import { keepProxy } from "./proxies.ts";

export interface ImportedSession {
  readonly session: string;
  readonly proxy?: string | undefined;
  readonly title?: string | undefined;
}

/**
 * Takes over a session of mtcute, GramJS, Telethon or Pyrogram. The program that made it must not use it any more: Telegram
 * ends a session that two use at once.
 */
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

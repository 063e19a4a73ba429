import { callTwins, demo } from "../../delivery/index.ts";
import type { AccountDriver, AccountRef } from "../../platforms/index.ts";
import { accountRefOf } from "../account-ref.ts";
import type { Who } from "../admin/access.ts";
import type { PaceDeps } from "../admin/pace-view.ts";
import { loadChats } from "../chats/load-chats.ts";
import { saveConfig } from "../config/save-config.ts";
import { addChatList } from "../joins/chat-lists.ts";
import { importedObjects } from "../objects/object-schema.ts";
import { importObjects } from "../objects/objects.ts";
import type { PlanDeps } from "../plan/plan-deps.ts";
import { createUseAccount } from "../use-account.ts";
import { demoAccounts } from "./demo-accounts.ts";
import { demoFlats } from "./flats.ts";

interface SeedAccountsDeps extends PlanDeps, Pick<PaceDeps, "pace"> {
  readonly driver: AccountDriver | undefined;
  readonly twinsUrl?: string | undefined;
}

/** The demo accounts are old and trusted, so they need no warm-up. */
const knownForMs = 400 * 86_400_000;
const trusted = { start_per_day: 200, start_copies: 50, spread: 20, others_weight: 0 };

/** Adds two accounts that publish flats in the demo workspace. Idempotent. */
export async function seedAccounts(deps: SeedAccountsDeps): Promise<void> {
  const { twinsUrl, driver } = deps;
  if (!twinsUrl || !driver) return;
  const who: Who = { operator: "molva seed", owner: "admin", isAdmin: true };
  await introduceToTwin(twinsUrl);
  for (const person of demoAccounts.people) await signIn(deps, driver, person);
  const known =
    await deps.sql`select from accounts.autopublish where workspace_id = ${demo.workspaceId} limit 1`;
  if (known.length > 0) return;
  const use = createUseAccount({ sql: deps.sql, driver });
  const accounts: { account_id: string; chat_ids: string[] }[] = [];
  for (const { id } of demoAccounts.people) {
    await deps.pace.adjust({ workspaceId: demo.workspaceId, accountId: id }, trusted, who);
    await loadChats({ ...deps, use }, demo.workspaceId, id, who);
    accounts.push({ account_id: id, chat_ids: await chatsOf(deps, id) });
  }
  const objects = importedObjects.parse({ objects: demoFlats(`${twinsUrl}/demo`) });
  const { ids } = await importObjects(deps, demo.workspaceId, objects, who);
  for (const id of ids) await saveConfig(deps, demo.workspaceId, id, { enabled: true, accounts }, who);
  const links = demoAccounts.toJoin.map(({ username }) => `https://t.me/${username}`).join("\n");
  await addChatList(deps, demo.workspaceId, { name: "Ещё чаты об аренде", links, is_public: true }, who);
}

async function introduceToTwin(twinsUrl: string): Promise<void> {
  const { people, chats, toJoin, code } = demoAccounts;
  for (const { phone, name, username } of people)
    await callTwins(twinsUrl, "POST", "/_control/telegram-account/accounts", {
      ...{ phone, name, username, fixed_code: code },
      // The demo clock runs faster than the twin's limits allow for.
      limits: { sendsPerMinute: 1000, joinsPerHour: 1000, strangersPerDay: 1000 },
    });
  const members = people.map(({ phone }) => ({ phone }));
  for (const chat of chats)
    await callTwins(twinsUrl, "POST", "/_control/telegram-account/chats", {
      ...chat,
      members,
      extra_members: 1200,
    });
  for (const chat of toJoin)
    await callTwins(twinsUrl, "POST", "/_control/telegram-account/chats", { ...chat, extra_members: 300 });
}

type Person = (typeof demoAccounts.people)[number];

/** Signs in by phone and code, unless the stored session still works. */
async function signIn(deps: SeedAccountsDeps, driver: AccountDriver, person: Person): Promise<void> {
  const { sql, clock } = deps;
  const now = clock.now();
  await sql`
    insert into accounts.accounts (workspace_id, id, owner, phone, title, mode, connected_at, created_at, updated_at)
    values (${demo.workspaceId}, ${person.id}, 'admin', ${person.phone}, ${person.name}, ${person.mode},
      ${new Date(now.getTime() - knownForMs)}, ${now}, ${now})
    on conflict do nothing`;
  const ref = await accountRefOf(deps, { workspaceId: demo.workspaceId, accountId: person.id });
  if (ref && !(await isSignedIn(driver, ref))) await withCode(driver, ref, person.phone);
}

async function isSignedIn(driver: AccountDriver, ref: AccountRef): Promise<boolean> {
  const client = await driver.open(ref);
  try {
    return (await client.me()).ok;
  } finally {
    await client.close();
  }
}

async function withCode(driver: AccountDriver, ref: AccountRef, phone: string): Promise<void> {
  const sent = await driver.logins.sendCode(ref, phone);
  if (!sent.ok) throw new Error(`the twin sent no code to ${phone}: ${sent.error.message}`);
  if (sent.value.step === "signed_in") return;
  const { codeHash } = sent.value;
  const entered = await driver.logins.signIn(ref, { phone, codeHash, code: demoAccounts.code });
  if (!entered.ok) throw new Error(`the twin did not let ${phone} in: ${entered.error.message}`);
}

async function chatsOf({ sql }: SeedAccountsDeps, accountId: string): Promise<string[]> {
  const rows = await sql<{ chat_id: string }[]>`
    select l.chat_id from accounts.account_chats l
    join accounts.chats c on c.workspace_id = l.workspace_id and c.id = l.chat_id
    where l.workspace_id = ${demo.workspaceId} and l.account_id = ${accountId} and l.can_write
    order by c.telegram_chat_id desc`;
  return rows.map(({ chat_id }) => chat_id);
}

import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { uuidv7 } from "../../kernel/ids/index.ts";
import type { AccountPerson, AccountRef } from "../../platforms/index.ts";
import { requireOwn, type Who } from "../admin/access.ts";
import { keepProxy } from "./account-proxies.ts";
import { takeLoginCode } from "./code-limit.ts";
import { finish } from "./finish-login.ts";
import { accountByPhone, deviceOf, type KnownAccount } from "./known-account.ts";
import {
  type Attempt,
  addAttempt,
  attemptAt,
  connectedView,
  type LoginView,
  moveAttempt,
  noteWrongTry,
  openSteps,
  placeOfCode,
  readAttempt,
  refOf,
  viewOf,
} from "./login-attempts.ts";
import { driverOf, type LoginDeps } from "./login-deps.ts";
import { refusedStep } from "./login-problems.ts";

/** A phone as people write it: spaces, dashes and brackets are dropped; a plus and the country code are required. */
export const phone = z
  .string()
  .transform((text) => text.replace(/[\s()\u2010-\u2015-]/g, ""))
  .pipe(z.string().regex(/^\+\d{6,15}$/, "A phone with its country code, such as +7 901 234-56-78"))
  .describe("With the country's code: +7 901 234-56-78");

interface ByPhone {
  readonly phone: string;
  /** Null removes the account's proxy; undefined keeps it. */
  readonly proxy?: string | null | undefined;
}

/** Requests a login code from Telegram, unless the account is already signed in. */
export async function startByPhone(
  deps: LoginDeps,
  workspaceId: string,
  { phone, proxy }: ByPhone,
  who: Who,
): Promise<LoginView> {
  const driver = driverOf(deps);
  const account = await accountByPhone(deps.sql, workspaceId, phone);
  if (account) requireOwn(who, account, "phone");
  const earlier = account ? undefined : await openAttempt(deps, workspaceId, phone, who);
  const accountId = account?.id ?? earlier?.account_id ?? uuidv7(deps.clock);
  const device = deviceOf(account ?? earlier);
  if (proxy !== undefined) await keepProxy(deps, { workspaceId, accountId }, proxy, deps.clock.now());
  const ref = await refOf(deps, workspaceId, { account_id: accountId, device });

  const person = account && (await whoIsSignedIn(deps, ref, account));
  if (person) {
    await finish(deps, workspaceId, { accountId, device, person, phone, how: "phone" }, who);
    return connectedView(accountId, phone);
  }
  await takeLoginCode(deps, workspaceId, phone);
  let sent = await driver.logins.sendCode(ref, phone);
  if (!sent.ok && sent.error.code === "session_invalid") {
    // The stored key is invalid; a new one is made.
    await driver.forget(ref);
    sent = await driver.logins.sendCode(ref, phone);
  }
  if (!sent.ok) throw refusedStep(sent.error);
  if (sent.value.step === "signed_in") {
    const entered = { accountId, device, person: sent.value.person, phone, how: "phone" } as const;
    return connectedView(await finish(deps, workspaceId, entered, who), phone);
  }
  const { codeHash, sentTo } = sent.value;
  const attempt = await addAttempt(deps, workspaceId, {
    ...{ account_id: accountId, owner: account?.owner ?? who.owner, method: "phone", phone, device },
    ...{ step: "code", codeHash, sent_to: sentTo },
  });
  return viewOf(attempt);
}

/** Requests another code, by another channel if Telegram has one left. */
export async function resendCode(
  deps: LoginDeps,
  workspaceId: string,
  id: string,
  who: Who,
): Promise<LoginView> {
  const attempt = await attemptAt(deps, workspaceId, id, ["code"], who);
  const { phone, codeHash } = codeOf(deps, workspaceId, attempt);
  const ref = await refOf(deps, workspaceId, attempt);
  await takeLoginCode(deps, workspaceId, phone);
  const sent = await driverOf(deps).logins.resendCode(ref, phone, codeHash);
  if (!sent.ok) throw refusedStep(sent.error);
  const moved = await moveAttempt(deps, workspaceId, attempt, {
    ...{ step: "code", codeHash: sent.value.codeHash, sent_to: sent.value.sentTo },
  });
  return viewOf(moved ?? (await readAttempt(deps.sql, workspaceId, id, who)));
}

export async function enterCode(
  deps: LoginDeps,
  workspaceId: string,
  id: string,
  typed: string,
  who: Who,
): Promise<LoginView> {
  const over = await readAttempt(deps.sql, workspaceId, id, who);
  // A concurrent request was quicker.
  if (over.step === "done") return viewOf(over);
  const attempt = await attemptAt(deps, workspaceId, id, ["code"], who);
  const ref = await refOf(deps, workspaceId, attempt);
  const code = typed.replace(/[\s-]/g, "");
  const answer = await driverOf(deps).logins.signIn(ref, { ...codeOf(deps, workspaceId, attempt), code });
  if (answer.ok) return goOn(deps, workspaceId, attempt, answer.value, who);
  return refusedOrOver(deps, workspaceId, attempt, answer.error, who);
}

export async function enterPassword(
  deps: LoginDeps,
  workspaceId: string,
  id: string,
  password: string,
  who: Who,
): Promise<LoginView> {
  const attempt = await attemptAt(deps, workspaceId, id, ["password"], who);
  const ref = await refOf(deps, workspaceId, attempt);
  const answer = await driverOf(deps).logins.checkPassword(ref, password);
  if (answer.ok) return goOn(deps, workspaceId, attempt, answer.value, who);
  return refusedOrOver(deps, workspaceId, attempt, answer.error, who);
}

/** Asks for the password, or finishes the sign-in. */
export async function goOn(
  deps: LoginDeps,
  workspaceId: string,
  attempt: Attempt,
  next: { step: "signed_in"; person: AccountPerson } | { step: "password"; hint?: string },
  who: Who,
): Promise<LoginView> {
  if (next.step === "password") {
    const moved = await moveAttempt(deps, workspaceId, attempt, {
      ...{ step: "password", hint: next.hint ?? null },
    });
    return viewOf(moved ?? (await readAttempt(deps.sql, workspaceId, attempt.id, who)));
  }
  const { account_id: accountId, device, phone, method } = attempt;
  const entered = { accountId, device, person: next.person, phone: phone ?? undefined, how: method };
  // An admin who signs in somebody's account does not become its owner.
  const own = await finish(deps, workspaceId, entered, { ...who, owner: attempt.owner }).catch(
    async (error: unknown) => {
      await moveAttempt(deps, workspaceId, attempt, { step: "cancelled" });
      throw error;
    },
  );
  const moved = await moveAttempt(deps, workspaceId, attempt, { step: "done", account_id: own });
  return viewOf(moved ?? (await readAttempt(deps.sql, workspaceId, attempt.id, who)));
}

/** How long to wait for a concurrent request, and how often to check. */
const concurrent = { withinMs: 2_000, everyMs: 50 } as const;

/** On a double click both requests get the result of the first, which has used the code before it stores the result. */
async function refusedOrOver(
  deps: LoginDeps,
  workspaceId: string,
  attempt: Attempt,
  error: Parameters<typeof refusedStep>[0],
  who: Who,
): Promise<LoginView> {
  const looks = error.code === "code_expired" ? concurrent.withinMs / concurrent.everyMs : 1;
  for (let look = 0; look < looks; look += 1) {
    if (look > 0) await delay(concurrent.everyMs);
    const now = await readAttempt(deps.sql, workspaceId, attempt.id, who);
    if (now.step !== attempt.step && now.step !== "cancelled") return viewOf(now);
  }
  await noteWrongTry(deps, workspaceId, attempt.id);
  throw refusedStep(error);
}

async function openAttempt(
  { sql, clock }: LoginDeps,
  workspaceId: string,
  phone: string,
  { owner }: Who,
): Promise<Attempt | undefined> {
  const [row] = await sql<Attempt[]>`
    select * from accounts.login_attempts
    where workspace_id = ${workspaceId} and phone = ${phone} and owner = ${owner} and step in ${sql(openSteps)}
      and expires_at > ${clock.now()}
    order by created_at desc limit 1`;
  return row;
}

/** The user of the stored session; undefined if there is none or Telegram has ended it. */
async function whoIsSignedIn(
  deps: LoginDeps,
  ref: AccountRef,
  account: KnownAccount,
): Promise<AccountPerson | undefined> {
  const driver = driverOf(deps);
  const [stored] = await deps.sql`
    select from accounts.session_values
    where workspace_id = ${ref.workspaceId} and account_id = ${account.id} and kind = 'auth_key' limit 1`;
  if (!stored) return undefined;
  const client = await driver.open(ref);
  const me = await client.me();
  await client.close();
  if (me.ok) return me.value;
  if (me.error.code !== "session_revoked" && me.error.code !== "account_banned") throw refusedStep(me.error);
  await driver.forget(ref);
  return undefined;
}

function codeOf(
  { vault }: LoginDeps,
  workspaceId: string,
  { id, phone, code_hash }: Attempt,
): { phone: string; codeHash: string } {
  if (phone === null || code_hash === null) throw new Error("an attempt at its code has no code");
  return { phone, codeHash: vault.decrypt(code_hash, placeOfCode(workspaceId, id)) };
}

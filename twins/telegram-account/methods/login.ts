import { randomBytes, randomInt, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import type { Call, Deps, Reply } from "../call.ts";
import { day, login } from "../limits.ts";
import type { Account, PendingCode, Session } from "../model.ts";
import { read } from "../read.ts";
import { bad, RpcError, unauthorized, wait } from "../rpc-error.ts";
import { sayFromTelegram } from "../service-chat.ts";
import { demandAlive } from "../session.ts";
import { wirePerson } from "../wire.ts";

const phoneText = z.string().regex(/^\+?\d+$/);
const sendCodeParams = z.strictObject({ phone: z.string() });
const resendParams = z.strictObject({ phone: z.string(), codeHash: z.string() });
const signInParams = z.strictObject({ phone: z.string(), codeHash: z.string(), code: z.string() });
const passwordParams = z.strictObject({ password: z.string() });

/** Sends a code to the phone's owner, or tells who is signed in with this key already. */
export function sendCode({ session, params }: Call, deps: Deps): Reply {
  const account = ownerOf(read(sendCodeParams, params).phone, deps);
  if (session.userId === account.userId) return { body: { step: "signed_in", person: wirePerson(account) } };
  return { body: giveCode(account, session, account.codeTypes[0] ?? "app", deps) };
}

export function resendCode({ session, params }: Call, deps: Deps): Reply {
  const { phone, codeHash } = read(resendParams, params);
  const account = ownerOf(phone, deps);
  const pending = pendingFor(session, phone, codeHash);
  const next = account.codeTypes[account.codeTypes.indexOf(pending.type) + 1];
  if (!next) throw new RpcError(406, "SEND_CODE_UNAVAILABLE");
  return { body: giveCode(account, session, next, deps) };
}

export function signIn({ session, params }: Call, deps: Deps): Reply {
  const { phone, codeHash, code } = read(signInParams, params);
  const account = ownerOf(phone, deps);
  const pending = pendingFor(session, phone, codeHash);
  if (code === "") throw bad("PHONE_CODE_EMPTY");
  const now = deps.context.clock.now();
  if (now - pending.sentAt > login.codeLifeMs) throw bad("PHONE_CODE_EXPIRED");
  if (code !== pending.code) {
    demandTries(account.wrongCodes, login.wrongCodesPerDay, now);
    deps.store.changed();
    throw bad("PHONE_CODE_INVALID");
  }
  delete session.code;
  if (account.password !== undefined) return askPassword(session, account, deps);
  return enter(session, account, deps);
}

export function checkPassword({ session, params }: Call, deps: Deps): Reply {
  const { password } = read(passwordParams, params);
  const account = session.passwordOf === undefined ? undefined : deps.store.account(session.passwordOf);
  if (!account) throw unauthorized("AUTH_KEY_UNREGISTERED");
  demandAlive(account);
  if (!sameText(password, account.password ?? "")) {
    demandTries(account.wrongPasswords, login.wrongPasswordsPerDay, deps.context.clock.now());
    deps.store.changed();
    throw bad("PASSWORD_HASH_INVALID");
  }
  return enter(session, account, deps);
}

/** The key now waits for the cloud password. */
export function askPassword(session: Session, account: Account, { store }: Deps): never {
  session.passwordOf = account.userId;
  store.changed();
  throw unauthorized("SESSION_PASSWORD_NEEDED");
}

export function enter(session: Session, account: Account, deps: Deps): Reply {
  session.userId = account.userId;
  delete session.passwordOf;
  delete session.loginToken;
  deps.store.changed();
  const { deviceModel, appVersion } = session.device;
  sayFromTelegram(account, `Новый вход: ${deviceModel}, ${appVersion}.`, deps);
  return { body: { step: "signed_in", person: wirePerson(account) } };
}

/** What a client asks before it asks for the password. */
export function getPassword({ session }: Call, { store }: Deps): Reply {
  const account = session.passwordOf === undefined ? undefined : store.account(session.passwordOf);
  if (!account) throw unauthorized("AUTH_KEY_UNREGISTERED");
  return { body: { ...(account.hint !== undefined && { hint: account.hint }) } };
}

function ownerOf(phone: string, { store }: Deps): Account {
  if (!phoneText.safeParse(phone).success) throw bad("PHONE_NUMBER_INVALID");
  const account = store.accountByPhone(phone.startsWith("+") ? phone : `+${phone}`);
  if (!account || account.state === "deleted") throw bad("PHONE_NUMBER_INVALID");
  if (account.state === "banned") throw bad("PHONE_NUMBER_BANNED");
  return account;
}

function giveCode(account: Account, session: Session, type: PendingCode["type"], deps: Deps) {
  const now = deps.context.clock.now();
  account.codesSent = account.codesSent.filter((at) => at > now - day);
  if (account.codesSent.length >= login.codesPerDay) throw bad("PHONE_NUMBER_FLOOD");
  account.codesSent.push(now);
  const code = account.fixedCode ?? String(randomInt(10 ** login.codeLength)).padStart(login.codeLength, "0");
  const hash = randomBytes(9).toString("hex");
  session.code = { phone: account.phone, hash, code, type, sentAt: now };
  deps.store.changed();
  sayFromTelegram(account, `Код для входа в Telegram: ${code}. Не давайте код никому.`, deps);
  return { step: "code", codeHash: hash, type, length: code.length, timeout: 60 };
}

function pendingFor(session: Session, phone: string, codeHash: string): PendingCode {
  const pending = session.code;
  const samePhone = pending?.phone.replace("+", "") === phone.replace("+", "");
  if (!pending || !samePhone || pending.hash !== codeHash) throw bad("PHONE_CODE_EXPIRED");
  return pending;
}

/** After too many mistakes in a day, the next attempt has to wait until the first is a day old. */
function demandTries(tries: number[], allowed: number, now: number): void {
  const recent = tries.filter((at) => at > now - day);
  tries.splice(0, tries.length, ...recent);
  const [oldest] = recent;
  if (oldest !== undefined && recent.length >= allowed) throw wait("FLOOD_WAIT_%d", oldest + day - now);
  tries.push(now);
}

function sameText(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

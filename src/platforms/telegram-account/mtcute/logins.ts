import type { tl } from "@mtcute/core";
import { checkPassword, resendCode, sendCode, signIn } from "@mtcute/core/methods.js";
import { no, yes } from "../answers.ts";
import type { AccountPerson, Answer, PasswordNeeded, QrCode, SentCode, SignedIn } from "../contract.ts";
import type { OpenAccount } from "../driver.ts";
import { answered, errorOf, refusalOf } from "./failure.ts";
import type { MtcuteSession } from "./session.ts";

type Logins = Pick<OpenAccount, "sendCode" | "resendCode" | "signIn" | "checkPassword" | "qr" | "adopt">;

/** The steps of signing in; state between them is in the storage. */
export function mtcuteLogins(session: MtcuteSession): Logins {
  return {
    sendCode: (phone) =>
      answered<SentCode | SignedIn>(
        session
          .run((client, abortSignal) => sendCode(client, { phone, abortSignal }))
          .then((sent) => ("phoneCodeHash" in sent ? codeOf(sent) : signedIn(sent.raw))),
        "login",
      ),
    resendCode: (phone, phoneCodeHash) =>
      answered(
        session
          .run((client, abortSignal) => resendCode(client, { phone, phoneCodeHash, abortSignal }))
          .then(codeOf),
        "login",
      ),
    signIn: ({ phone, codeHash, code }) =>
      unlessPassword(
        session,
        session
          .run((client, abortSignal) =>
            signIn(client, { phone, phoneCodeHash: codeHash, phoneCode: code, abortSignal }),
          )
          .then(({ raw }) => signedIn(raw)),
      ),
    checkPassword: (password) =>
      answered(
        session
          .run((client, abortSignal) => checkPassword(client, { password, abortSignal }))
          .then(({ raw }) => signedIn(raw)),
        "login",
      ),
    qr: () => unlessPassword<QrCode | SignedIn>(session, qr(session)),
    async adopt(foreign) {
      await session.adopt(foreign);
      return answered(self(session).then(signedIn), "login");
    },
  };
}

/** Who the key belongs to; stored in mtcute, so that it knows its own account at the next start. */
export async function self(session: MtcuteSession): Promise<tl.RawUser> {
  const [user] = await session.call({ _: "users.getUsers", id: [{ _: "inputUserSelf" }] });
  if (user?._ !== "user") throw new Error("Telegram did not say who this is");
  await session.client.notifyLoggedIn(user);
  return user;
}

export function personOf({ id, firstName = "", lastName = "", username, phone }: tl.RawUser): AccountPerson {
  return {
    userId: String(id),
    name: `${firstName} ${lastName}`.trim() || String(id),
    ...(username !== undefined && { username }),
    ...(phone !== undefined && { phone: `+${phone}` }),
  };
}

/** Telegram asks for the password by a refusal. */
async function unlessPassword<T>(
  session: MtcuteSession,
  work: Promise<T>,
): Promise<Answer<T | PasswordNeeded>> {
  try {
    return yes(await work);
  } catch (error) {
    if (refusalOf(error)?.text !== "SESSION_PASSWORD_NEEDED") return no(errorOf(error, "login"));
  }
  const asked = await answered(session.call({ _: "account.getPassword" }), "login");
  const hint = asked.ok ? asked.value.hint : undefined;
  return yes({ step: "password", ...(hint !== undefined && { hint }) });
}

/** A repeated call returns a new link, or tells that it was scanned. */
async function qr(session: MtcuteSession): Promise<QrCode | SignedIn> {
  const { apiId, apiHash, client } = session;
  let token = await session.call({ _: "auth.exportLoginToken", apiId, apiHash, exceptIds: [] });
  if (token._ === "auth.loginTokenMigrateTo") {
    await client.changePrimaryDc(token.dcId);
    token = await session.call({ _: "auth.importLoginToken", token: token.token });
  }
  if (token._ === "auth.loginToken") {
    const url = `tg://login?token=${Buffer.from(token.token).toString("base64url")}`;
    return { step: "qr", url, expiresAt: new Date(token.expires * 1000) };
  }
  return signedIn(await self(session));
}

const places: Readonly<Record<string, SentCode["sentTo"]>> = {
  app: "app",
  sms: "sms",
  sms_word: "sms",
  sms_phrase: "sms",
  call: "call",
  flash_call: "call",
  missed_call: "call",
  email: "email",
};

function codeOf(sent: { phoneCodeHash: string; type: string; length: number }): SentCode {
  const { phoneCodeHash, type, length } = sent;
  return {
    step: "code",
    codeHash: phoneCodeHash,
    sentTo: places[type] ?? "other",
    ...(length > 0 && { length }),
  };
}

function signedIn(user: tl.RawUser): SignedIn {
  return { step: "signed_in", person: personOf(user) };
}

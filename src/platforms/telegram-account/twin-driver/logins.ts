import { no, yes } from "../answers.ts";
import { type Connections, unlessBusy } from "../connections/index.ts";
import type {
  AccountLogins,
  AccountRef,
  Answer,
  PasswordNeeded,
  QrCode,
  SentCode,
  SignedIn,
} from "../contract.ts";
import { loginErrorOf } from "../rpc-errors.ts";
import { notASession } from "../sessions/not-a-session.ts";
import { readSessionString } from "../sessions/session-string.ts";
import type { TwinConnection } from "./connection.ts";
import type { RpcResult } from "./rpc.ts";
import { hintShape, personOf, personShape, qrShape, sentCodeShape, signedInShape } from "./shapes.ts";

export function twinLogins(connections: Connections<TwinConnection>): AccountLogins {
  const step = <T>(account: AccountRef, work: (twin: TwinConnection) => Promise<Answer<T>>) =>
    unlessBusy(connections.use(account, work));
  return {
    sendCode: (account, phone) =>
      step(account, async (twin): Promise<Answer<SentCode | SignedIn>> => {
        const result = await twin.call("sendCode", { phone });
        if (result.kind !== "done") return refused(result);
        const already = signedInShape.safeParse(result.body);
        return yes(already.success ? signedIn(already.data.person) : sentCode(result.body));
      }),
    resendCode: (account, phone, codeHash) =>
      step(account, async (twin) => {
        const result = await twin.call("resendCode", { phone, codeHash });
        return result.kind === "done" ? yes(sentCode(result.body)) : refused(result);
      }),
    signIn: (account, given) =>
      step(account, async (twin) => entered(twin, await twin.call("signIn", given))),
    checkPassword: (account, password) =>
      step(account, async (twin) => {
        const result = await twin.call("checkPassword", { password });
        return result.kind === "done"
          ? yes(signedIn(signedInShape.parse(result.body).person))
          : refused(result);
      }),
    qr: (account) =>
      step(account, async (twin): Promise<Answer<QrCode | SignedIn | PasswordNeeded>> => {
        const result = await twin.call("exportLoginToken", {});
        if (result.kind !== "done") return entered(twin, result);
        const shown = qrShape.safeParse(result.body);
        if (!shown.success) return entered(twin, result);
        const { url, expiresAt } = shown.data;
        return yes({ step: "qr", url, expiresAt: new Date(expiresAt) });
      }),
    async importSession(account, session) {
      const foreign = readSessionString(session);
      if (!foreign) return no(notASession());
      return step(account, async (twin) => {
        await twin.adopt(foreign.authKey);
        const result = await twin.call("getMe", {});
        if (result.kind !== "done") return refused(result);
        return yes(signedIn(personShape.parse(result.body)));
      });
    },
  };
}

/** Telegram's way of asking for the password is a refusal. */
async function entered(twin: TwinConnection, result: RpcResult): Promise<Answer<SignedIn | PasswordNeeded>> {
  if (result.kind === "done") return yes(signedIn(signedInShape.parse(result.body).person));
  if (result.kind !== "refused" || result.refusal.text !== "SESSION_PASSWORD_NEEDED") return refused(result);
  const asked = await twin.call("getPassword", {});
  const hint = asked.kind === "done" ? hintShape.parse(asked.body).hint : undefined;
  return yes({ step: "password", ...(hint !== undefined && { hint }) });
}

function sentCode(body: unknown): SentCode {
  const { codeHash, type, length } = sentCodeShape.parse(body);
  return { step: "code", codeHash, sentTo: type, length };
}

function signedIn(person: Parameters<typeof personOf>[0]): SignedIn {
  return { step: "signed_in", person: personOf(person) };
}

function refused(result: Exclude<RpcResult, { kind: "done" }>) {
  return no(result.kind === "refused" ? loginErrorOf(result.refusal) : result.error);
}

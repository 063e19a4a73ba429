import { no, yes } from "../answers.ts";
import type { Answer, PasswordNeeded, SentCode, SignedIn } from "../contract.ts";
import type { OpenAccount } from "../driver.ts";
import { loginErrorOf } from "../rpc-errors.ts";
import type { TwinConnection } from "./connection.ts";
import type { RpcResult } from "./rpc.ts";
import { hintShape, personOf, personShape, qrShape, sentCodeShape, signedInShape } from "./shapes.ts";

type Logins = Pick<OpenAccount, "sendCode" | "resendCode" | "signIn" | "checkPassword" | "qr" | "adopt">;

/** The steps of signing in, with the twin. */
export function twinLogins(twin: TwinConnection): Logins {
  return {
    async sendCode(phone) {
      const result = await twin.call("sendCode", { phone });
      if (result.kind !== "done") return refused(result);
      const already = signedInShape.safeParse(result.body);
      return yes(already.success ? signedIn(already.data.person) : sentCode(result.body));
    },
    async resendCode(phone, codeHash) {
      const result = await twin.call("resendCode", { phone, codeHash });
      return result.kind === "done" ? yes(sentCode(result.body)) : refused(result);
    },
    signIn: async (step) => entered(twin, await twin.call("signIn", step)),
    async checkPassword(password) {
      const result = await twin.call("checkPassword", { password });
      return result.kind === "done"
        ? yes(signedIn(signedInShape.parse(result.body).person))
        : refused(result);
    },
    async qr() {
      const result = await twin.call("exportLoginToken", {});
      const shown = result.kind === "done" ? qrShape.safeParse(result.body) : undefined;
      if (!shown?.success) return entered(twin, result);
      const { url, expiresAt } = shown.data;
      return yes({ step: "qr", url, expiresAt: new Date(expiresAt) });
    },
    async adopt({ authKey }) {
      await twin.adopt(authKey);
      const result = await twin.call("getMe", {});
      return result.kind === "done" ? yes(signedIn(personShape.parse(result.body))) : refused(result);
    },
  };
}

/** Telegram asks for the password by a refusal. */
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

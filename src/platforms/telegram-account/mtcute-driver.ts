import type { AccountDriver, AccountLogins } from "./contract.ts";
import type { MtcuteDriverDeps } from "./mtcute/driver.ts";

export type { MtcuteDriverDeps };

/** Accounts at Telegram itself. mtcute is large, so it is loaded when the first account is opened. */
export function createMtcuteDriver(deps: MtcuteDriverDeps): AccountDriver {
  let loading: Promise<AccountDriver> | undefined;
  const driver = () => {
    loading ??= import("./mtcute/driver.ts").then(({ mtcuteDriver }) => mtcuteDriver(deps));
    return loading;
  };
  const logins: AccountLogins = {
    sendCode: async (...given) => (await driver()).logins.sendCode(...given),
    resendCode: async (...given) => (await driver()).logins.resendCode(...given),
    signIn: async (...given) => (await driver()).logins.signIn(...given),
    checkPassword: async (...given) => (await driver()).logins.checkPassword(...given),
    qr: async (...given) => (await driver()).logins.qr(...given),
    importSession: async (...given) => (await driver()).logins.importSession(...given),
  };
  return {
    open: async (account) => (await driver()).open(account),
    logins,
    forget: async (account) => (await driver()).forget(account),
    close: async () => (await loading)?.close(),
  };
}

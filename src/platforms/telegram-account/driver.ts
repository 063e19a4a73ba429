import type { Outcome } from "../contract.ts";
import { no } from "./answers.ts";
import { type ConnectionSettings, createConnections, ifOpened, unopened } from "./connections/index.ts";
import type {
  AccountClient,
  AccountDriver,
  AccountLogins,
  AccountRef,
  Answer,
  SignedIn,
} from "./contract.ts";
import type { SessionStore } from "./session-store.ts";
import { notASession } from "./sessions/not-a-session.ts";
import { type ForeignSession, readSessionString } from "./sessions/session-string.ts";

/** One account opened by its process: what a driver has to implement. */
export type OpenAccount = Omit<AccountClient, "close"> & {
  readonly [Step in Exclude<keyof AccountLogins, "importSession">]: WithoutAccount<AccountLogins[Step]>;
} & {
  /** Imports the session of another program; the account's earlier data is deleted. */
  adopt(session: ForeignSession): Promise<Answer<SignedIn>>;
  shut(): Promise<void>;
};

type WithoutAccount<F> = F extends (account: AccountRef, ...rest: infer R) => infer T
  ? (...rest: R) => T
  : never;

export interface DriverDeps {
  readonly sessions: SessionStore;
  readonly connections?: Partial<ConnectionSettings>;
  open(account: AccountRef): Promise<OpenAccount>;
  onError?(error: unknown): void;
}

/** The part that all drivers share: one connection per account, leases, deletion. */
export function createDriver(deps: DriverDeps): AccountDriver {
  const connections = createConnections<OpenAccount>({
    ...deps.connections,
    sessions: deps.sessions,
    open: (account) => deps.open(account),
    shut: (account) => account.shut(),
    ...(deps.onError && { onError: (error: unknown) => deps.onError?.(error) }),
  });
  const ask = <T>(account: AccountRef, work: (open: OpenAccount) => Promise<Answer<T>>) =>
    ifOpened(connections.use(account, work));

  async function forget(account: AccountRef): Promise<void> {
    await connections.drop(account);
    await deps.sessions.values(account).clear();
  }

  function client(account: AccountRef): AccountClient {
    const letGo = connections.hold(account);
    return {
      send: (post, signal) =>
        connections
          .use(account, (open) => open.send(post, signal))
          .catch((error: unknown): Outcome => ({ kind: "failed", error: unopened(error) })),
      chats: () => ask(account, (open) => open.chats()),
      join: (link) => ask(account, (open) => open.join(link)),
      me: () => ask(account, (open) => open.me()),
      async logOut() {
        const answer = await ask(account, (open) => open.logOut());
        if (answer.ok) await forget(account);
        return answer;
      },
      close: letGo,
    };
  }

  const logins: AccountLogins = {
    sendCode: (account, phone) => ask(account, (open) => open.sendCode(phone)),
    resendCode: (account, phone, codeHash) => ask(account, (open) => open.resendCode(phone, codeHash)),
    signIn: (account, step) => ask(account, (open) => open.signIn(step)),
    checkPassword: (account, password) => ask(account, (open) => open.checkPassword(password)),
    qr: (account) => ask(account, (open) => open.qr()),
    async importSession(account, text) {
      const session = readSessionString(text);
      return session ? ask(account, (open) => open.adopt(session)) : no(notASession());
    },
  };

  return {
    open: async (account) => client(account),
    logins,
    forget,
    close: () => connections.close(),
  };
}

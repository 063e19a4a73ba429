import type { Command } from "commander";
import {
  changing,
  checked,
  exitCodes,
  fromFile,
  print,
  reading,
  secretIn,
  type Terminal,
  textOf,
  UserError,
} from "../../terminal/index.ts";
import { changeProxy, proxyAddress, shownProxyOf } from "../login/account-proxies.ts";
import { phone as phoneShape, startByPhone } from "../login/by-phone.ts";
import { startByQr } from "../login/by-qr.ts";
import { importSession } from "../login/import-session.ts";
import { logOut } from "../login/log-out.ts";
import type { LoginView } from "../login/login-attempts.ts";
import { beginAgain, walkLogin } from "./walk-login.ts";
import { type AccountOptions, idOf, naming, withAccounts } from "./with-accounts.ts";

interface LoginOptions extends AccountOptions {
  readonly qr?: boolean;
  readonly attempt?: string;
  readonly proxyFile?: string;
}

const proxyOption = `by which the account reaches Telegram, socks5://, http:// or mtproxy://: ${fromFile}`;

/** `molva account login`, `import`, `logout` and `proxy`. */
export function addAccountLogin(command: Command, terminal: Terminal): void {
  reading(command, "login", "sign an account in: asks for the code and the password, or shows a QR code")
    .argument("[phone]", "with the country code, as in +79012345678")
    .option("--qr", "by a QR code, which Telegram on a phone scans: Settings, Devices, Link a device")
    .option("--attempt <id>", "go on with a sign-in that was left")
    .option("--proxy-file <path>", proxyOption)
    .option("--owner <login>", "whose account it is; admin unless given")
    .addHelpText("after", "\nThe code and the password may also come from a pipe, a line each.")
    .action(async (typed: string | undefined, options: LoginOptions) => {
      const begin = await beginningOf(typed, options);
      const done = await withAccounts(terminal, options, async (at) =>
        walkLogin(terminal, at, await begin(at)),
      );
      print(terminal, options, done, () => signedIn(done));
    });

  reading(command, "import", "take over a session of mtcute, GramJS, Telethon or Pyrogram")
    .argument("[file]", "that holds the session string, - for standard input; asked for when left out")
    .option("--title <text>", "what the account is called here")
    .option("--proxy-file <path>", proxyOption)
    .option("--owner <login>", "whose account it is; admin unless given")
    .addHelpText(
      "after",
      "\nThe other program must not use the session any more: Telegram ends it otherwise.",
    )
    .action(async (file: string | undefined, options: LoginOptions & { title?: string }) => {
      if (file === "-" && options.proxyFile === "-")
        throw new UserError("Standard input holds one secret: give a file for the other.", exitCodes.usage);
      const proxy = await proxyIn(options);
      const session =
        file === undefined ? await terminal.ask?.("Session string: ", { secret: true }) : await textOf(file);
      if (!session?.trim()) throw new UserError("No session was given.", exitCodes.usage);
      const { title } = options;
      const done = await withAccounts(terminal, options, ({ login, workspaceId, who }) =>
        importSession(login, workspaceId, { session, proxy, title }, who),
      );
      print(terminal, options, done, () => signedIn(done));
    });

  changing(command, "logout", "end an account's session at Telegram and forget it here")
    .argument("<account>", naming.account)
    .option("--force", "forget it even when Telegram cannot be reached")
    .action(async (typed: string, options: AccountOptions & { force?: boolean }) => {
      const id = await withAccounts(terminal, options, async (at) => {
        const account = await idOf(at, "account", typed);
        await logOut(at.login, at.workspaceId, account, { ...at.who, force: options.force });
        return account;
      });
      print(terminal, options, { id }, () => `${typed} is signed out and switched off.`);
    });

  changing(command, "proxy", "by which proxy an account reaches Telegram, or change it")
    .argument("<account>", naming.account)
    .option(
      "--proxy-file <path>",
      `socks5://user:password@host:port, http://… or mtproxy://secret@host:port: ${fromFile}`,
    )
    .option("--remove", "take it away")
    .action(async (typed: string, options: LoginOptions & { remove?: boolean }) => {
      if (options.remove && options.proxyFile !== undefined)
        throw new UserError("Give one of --proxy-file and --remove.", exitCodes.usage);
      const proxy = options.remove ? null : await proxyIn(options);
      const shown = await withAccounts(terminal, options, async (at) => {
        const accountId = await idOf(at, "account", typed);
        return proxy === undefined
          ? { proxy: await shownProxyOf(at.login, { workspaceId: at.workspaceId, accountId }) }
          : changeProxy(at.login, at.workspaceId, accountId, proxy, at.who);
      });
      print(terminal, options, shown, () => shown.proxy ?? "No proxy: straight to Telegram.");
    });
}

type Beginning = (at: Parameters<typeof walkLogin>[1]) => Promise<LoginView>;

async function beginningOf(typed: string | undefined, options: LoginOptions): Promise<Beginning> {
  const ways = [typed, options.qr, options.attempt].filter((way) => way !== undefined);
  if (ways.length !== 1)
    throw new UserError("Give a phone, --qr, or --attempt: one of the three.", exitCodes.usage);
  const proxy = await proxyIn(options);
  const { attempt } = options;
  if (attempt !== undefined) return (at) => beginAgain(at, attempt);
  if (typed === undefined)
    return ({ login, workspaceId, who }) => startByQr(login, workspaceId, { proxy }, who);
  const phone = checked(phoneShape, typed, "phone");
  return ({ login, workspaceId, who }) => startByPhone(login, workspaceId, { phone, proxy }, who);
}

async function proxyIn({ proxyFile }: LoginOptions): Promise<string | undefined> {
  const address = await secretIn(proxyFile);
  return address === undefined ? undefined : checked(proxyAddress, address, "the proxy");
}

function signedIn({ account_id, already_connected, phone }: LoginView): string {
  const whose = phone ? `${phone}, account ${account_id}` : `Account ${account_id}`;
  return already_connected
    ? `${whose}, was signed in already.`
    : `${whose}, is signed in. Next: molva account chat load ${account_id}.`;
}

import type { MessengerDeps } from "../../delivery/index.ts";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import { type Credential, checkCredential, credentialText } from "../../platforms/index.ts";
import { SeoProblem } from "../problems.ts";
import type { PlatformType } from "../settings/shape.ts";
import { accountFault, fieldFaults, findingWords } from "./words.ts";

/** An account and a place that the platform has just let in. */
export interface Tried {
  /** As it is stored. */
  readonly secret: string;
  readonly target: string;
  readonly title: string | undefined;
}

/** The platform has been asked and said no. */
export class ConnectionRefused extends SeoProblem {
  /** What is wrong, as the platform's adapter calls it. */
  readonly finding: string;

  constructor(
    platform: PlatformType,
    finding: string,
    facts: { readonly target: string; readonly said?: string | undefined },
  ) {
    super("connection_failed", findingWords(platform, finding, facts));
    this.finding = finding;
  }
}

/** Asks the platform whether the account may publish there. Nothing is stored and nothing is posted; throws if it may not. */
export async function tryAccount(
  deps: MessengerDeps,
  platform: PlatformType,
  given: { readonly fields: Readonly<Record<string, string>>; readonly target?: string | undefined },
): Promise<Tried> {
  const credential = accountIn(deps, platform, given.fields);
  const typed = await targetIn(deps.sql, platform, given.target ?? credential.url ?? "");
  const adapter = deps.platforms.platformOf(platform);
  const asking = (targetId: string) => ({
    ...{ credential, http: deps.providers, clock: deps.clock },
    channel: { platform, targetId, sendMode: "mixed" as const, settings: {} },
  });
  const { ok, steps } = await adapter.check(asking(typed));
  if (!ok) {
    const wrong = steps.find(({ finding }) => finding !== "ok");
    throw new ConnectionRefused(platform, wrong?.finding ?? "unreachable", {
      target: typed,
      said: wrong?.said,
    });
  }
  const found = await adapter.resolve?.(asking(typed));
  if (found?.kind === "absent") throw new ConnectionRefused(platform, "chat_not_found", { target: typed });
  return {
    secret: credentialText(deps.platforms.definitionOf(platform).credential, credential),
    target: found?.kind === "found" ? found.targetId : typed,
    title: found?.kind === "found" ? found.title : steps.find(({ step }) => step === "chat")?.facts?.chat,
  };
}

function accountIn(
  { platforms }: MessengerDeps,
  platform: PlatformType,
  fields: Readonly<Record<string, string>>,
): Credential {
  const checked = checkCredential(platforms.definitionOf(platform).credential, fields);
  if (checked.ok) return checked.credential;
  const [fault] = checked.faults;
  const said = (fault?.field && fieldFaults[platform][fault.field]) || accountFault;
  throw new SeoProblem("value_refused", said, { pointers: [`/fields/${fault?.field ?? ""}`] });
}

/** The place that somebody typed, as it is stored. Throws if the platform knows no such form. */
export async function targetIn(
  sql: Sql | Transaction,
  platform: PlatformType,
  typed: string,
): Promise<string> {
  const [read] = await sql<
    [{ target: string | null }]
  >`select target from delivery.read_target(${platform}, ${typed})`;
  // People and numbered channels are for operators.
  if (read.target !== null && !/^user:|#\d+$/.test(read.target)) return read.target;
  throw new SeoProblem("value_refused", fieldFaults[platform].target ?? accountFault, {
    pointers: ["/target"],
  });
}

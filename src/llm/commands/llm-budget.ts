import type { Command } from "commander";
import { systemClock } from "../../kernel/clock/index.ts";
import {
  byOf,
  type Common,
  checked,
  configOf,
  explaining,
  inWorkspace,
  justifying,
  type Paged,
  paging,
  print,
  printPage,
  reading,
  type Terminal,
  table,
  UserError,
  withDatabase,
} from "../../terminal/index.ts";
import { type AdminDeps, listWorkspaces, pageOfAll } from "../../workspaces/index.ts";
import { budgetCap, budgetKey } from "../budgets/budget-shape.ts";
import { listBudgets, removeBudget, setBudget } from "../budgets/budgets.ts";
import {
  type ForAll,
  installationKey,
  listInstallationCaps,
  removeInstallationCap,
  setInstallationCap,
} from "../budgets/installation.ts";
import { withGateway } from "./with-gateway.ts";

/** All workspaces together; only the server's operator may set their cap. */
const installation = "installation";

interface KeyOptions extends Common {
  readonly subject?: string;
}

/** `molva llm budget list|set|delete`. */
export function addLlmBudget(parent: Command, terminal: Terminal): void {
  const command = parent.command("budget").description("what models may cost at most");

  paging(reading(command, "list", "caps, with their current usage")).action(async (options: Paged) => {
    const page = await withGateway(terminal, options, async ({ sql, clock }, workspaceId) => {
      const ofAll = await listInstallationCaps(sql, clock.now());
      const own = await listBudgets(sql, workspaceId, clock.now());
      const caps = [...ofAll.map((cap) => ({ scope: installation, subject: "*", ...cap })), ...own];
      return pageOfAll(caps, options);
    });
    printPage(terminal, options, page, capTable);
  });

  /** A change for all workspaces, so none has to be named. */
  const forAll = <T>(options: Common, change: (deps: AdminDeps, all: ForAll) => Promise<T>): Promise<T> =>
    withDatabase(configOf(terminal), async (sql) =>
      change({ sql, clock: systemClock }, { workspaces: await listWorkspaces(sql), by: byOf(options) }),
    );

  const named = (each: Command) =>
    inWorkspace(each)
      .argument("<scope>", "installation (all workspaces together), workspace, user or policy")
      .argument("<period>", "day or month, in UTC")
      .argument("<unit>", "usd, tokens or calls")
      .option("--subject <name>", "one user or policy; unless given, the cap applies to each separately");

  named(explaining(command.command("set").description("set a cap")))
    .argument("<cap>", "how much at most")
    .action(async (scope: string, period: string, unit: string, typed: string, options: KeyOptions) => {
      const { cap } = checked(budgetCap, { cap: Number(typed) });
      if (scope === installation) {
        const every = checked(installationKey, { period, unit });
        await forAll(options, (deps, all) => setInstallationCap(deps, every, cap, all));
        print(terminal, options, { scope, ...every, cap }, () =>
          atMost({ scope, subject: "*", ...every, cap }),
        );
        return;
      }
      const key = checked(budgetKey, keyOf(scope, period, unit, options));
      const set = await withGateway(terminal, options, (deps, workspaceId) =>
        setBudget(deps, workspaceId, key, cap, byOf(options)),
      );
      print(terminal, options, set, () => atMost(set));
    });

  named(justifying(command.command("delete").description("lift a cap"))).action(
    async (scope: string, period: string, unit: string, options: KeyOptions) => {
      if (scope === installation) {
        const every = checked(installationKey, { period, unit });
        const gone = await forAll(options, (deps, all) => removeInstallationCap(deps, every, all));
        if (!gone) throw new UserError(`There is no such cap: installation, ${unit} a ${period}.`);
        print(terminal, options, { deleted: { scope, ...every } }, () =>
          lifted({ scope, subject: "*", ...every }),
        );
        return;
      }
      const key = checked(budgetKey, keyOf(scope, period, unit, options));
      await withGateway(terminal, options, (deps, workspaceId) =>
        removeBudget(deps, workspaceId, key, byOf(options)),
      );
      print(terminal, options, { deleted: key }, () => lifted(key));
    },
  );
}

function keyOf(scope: string, period: string, unit: string, { subject = "*" }: KeyOptions) {
  return { scope, subject, period, unit };
}

interface Named {
  readonly scope: string;
  readonly subject: string;
  readonly period: string;
  readonly unit: string;
}

const atMost = (named: Named & { readonly cap: number }) =>
  `At most ${named.cap} ${named.unit} a ${named.period} for ${nameOf(named)}.`;
const lifted = (named: Named) => `Lifted the cap of ${named.unit} a ${named.period} for ${nameOf(named)}.`;

/** There is only one of each, so they need no subject. */
const isOne = (scope: string) => scope === installation || scope === "workspace";

function nameOf({ scope, subject }: Pick<Named, "scope" | "subject">): string {
  if (isOne(scope)) return `the ${scope}`;
  return subject === "*" ? `each ${scope}` : `${scope} ${subject}`;
}

const capTable = table<Named & { readonly cap: number; readonly used: number | null }>("No caps.", {
  scope: ({ scope }) => scope,
  subject: ({ scope, subject }) => (isOne(scope) ? "" : subject === "*" ? "each" : subject),
  period: ({ period }) => period,
  unit: ({ unit }) => unit,
  cap: ({ cap }) => String(cap),
  used: ({ used }) => (used === null ? "–" : String(used)),
});

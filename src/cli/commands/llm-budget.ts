import type { Command } from "commander";
import { budgetCap, budgetKey, listBudgets, removeBudget, setBudget } from "../../llm/index.ts";
import { byOf, type Common, checked, explaining, inWorkspace, justifying, viewing } from "../administer.ts";
import { print, type Terminal } from "../command.ts";
import { columns } from "../layout.ts";
import { withGateway } from "../llm-deps.ts";

interface KeyOptions extends Common {
  readonly subject?: string;
}

/** `molva llm budget list|set|delete`. */
export function addLlmBudget(parent: Command, terminal: Terminal): void {
  const command = parent.command("budget").description("what models may cost at most");

  viewing(command.command("list").description("caps, with what counts against each now")).action(
    async (options: Common) => {
      const items = await withGateway(terminal, options, ({ sql, clock }, workspaceId) =>
        listBudgets(sql, workspaceId, clock.now()),
      );
      print(terminal, options, { items }, () =>
        items.length === 0
          ? "No caps."
          : columns(
              ["SCOPE", "SUBJECT", "PERIOD", "UNIT", "CAP", "USED"],
              items.map(({ scope, subject, period, unit, cap, used }) => [
                scope,
                scope === "workspace" ? "" : subject === "*" ? "each" : subject,
                period,
                unit,
                String(cap),
                used === null ? "–" : String(used),
              ]),
            ),
      );
    },
  );

  const named = (each: Command) =>
    inWorkspace(each)
      .argument("<scope>", "workspace, user or policy")
      .argument("<period>", "day or month, in UTC")
      .argument("<unit>", "usd, tokens or calls")
      .option("--subject <name>", "one user or policy; each of them for itself unless given");

  named(explaining(command.command("set").description("set a cap")))
    .argument("<cap>", "how much at most")
    .action(async (scope: string, period: string, unit: string, typed: string, options: KeyOptions) => {
      const key = checked(budgetKey, keyOf(scope, period, unit, options));
      const { cap } = checked(budgetCap, { cap: Number(typed) });
      const set = await withGateway(terminal, options, (deps, workspaceId) =>
        setBudget(deps, workspaceId, key, cap, byOf(options)),
      );
      print(
        terminal,
        options,
        set,
        () => `At most ${set.cap} ${set.unit} a ${set.period} for ${nameOf(set)}.`,
      );
    });

  named(justifying(command.command("delete").description("lift a cap"))).action(
    async (scope: string, period: string, unit: string, options: KeyOptions) => {
      const key = checked(budgetKey, keyOf(scope, period, unit, options));
      await withGateway(terminal, options, (deps, workspaceId) =>
        removeBudget(deps, workspaceId, key, byOf(options)),
      );
      print(
        terminal,
        options,
        { deleted: key },
        () => `Lifted the cap of ${key.unit} a ${key.period} for ${nameOf(key)}.`,
      );
    },
  );
}

function keyOf(scope: string, period: string, unit: string, { subject = "*" }: KeyOptions) {
  return { scope, subject, period, unit };
}

function nameOf({ scope, subject }: { readonly scope: string; readonly subject: string }): string {
  if (scope === "workspace") return "the workspace";
  return subject === "*" ? `each ${scope}` : `${scope} ${subject}`;
}

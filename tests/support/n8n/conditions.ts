import { z } from "zod";
import type { Scope } from "./expressions.ts";
import type { WorkflowNode } from "./workflow.ts";

const conditionsShape = z.object({
  conditions: z.tuple([
    z.object({
      leftValue: z.string(),
      rightValue: z.union([z.string(), z.number()]),
      operator: z.object({ operation: z.enum(["true", "gt", "equals"]) }),
    }),
  ]),
});

const ifShape = z.object({ conditions: conditionsShape });
const switchShape = z.object({
  rules: z.object({ values: z.array(z.object({ conditions: conditionsShape })) }),
});

/** Which exit of an If node the item takes. */
export const exitOfIf = (node: WorkflowNode, scope: Scope): number =>
  holds(ifShape.parse(node.parameters).conditions, scope) ? 0 : 1;

/** The exit of the first rule that holds; none is a fault of the workflow, since n8n would drop the item. */
export function exitOfSwitch(node: WorkflowNode, scope: Scope): number {
  const { values } = switchShape.parse(node.parameters).rules;
  const exit = values.findIndex(({ conditions }) => holds(conditions, scope));
  if (exit < 0) throw new Error(`${node.name}: no rule fits`);
  return exit;
}

function holds({ conditions: [condition] }: z.output<typeof conditionsShape>, { value }: Scope): boolean {
  const left = value(condition.leftValue);
  switch (condition.operator.operation) {
    case "true":
      return left === true;
    case "gt":
      return Number(left) > Number(condition.rightValue);
    case "equals":
      return left === condition.rightValue;
  }
}

import type { Scope } from "./expressions.ts";
import { type Condition, ifParameters, switchParameters } from "./node-kinds.ts";
import type { WorkflowNode } from "./workflow.ts";

/** Which exit of an If node the item takes. */
export const exitOfIf = (node: WorkflowNode, scope: Scope): number =>
  holds(node, ifParameters.parse(node.parameters).conditions, scope) ? 0 : 1;

/** The exit of the first rule that holds; no match is an error of the workflow, since n8n would drop the item. */
export function exitOfSwitch(node: WorkflowNode, scope: Scope): number {
  const { values } = switchParameters.parse(node.parameters).rules;
  const exit = values.findIndex(({ conditions }) => holds(node, conditions, scope));
  if (exit < 0) throw new Error(`${node.name}: no rule fits`);
  return exit;
}

/** As strict about types as the conditions ask n8n to be; nothing fits no rule. */
function holds(node: WorkflowNode, { conditions: [condition] }: Condition, { value }: Scope): boolean {
  const left = value(condition.leftValue);
  const { type } = condition.operator;
  if (left === undefined || left === null) return false;
  if (typeof left !== type) throw new Error(`${node.name}: ${JSON.stringify(left)} is not a ${type}`);
  return type === "boolean" ? left === true : left === condition.rightValue;
}

import type { WorkflowNode } from "./workflow.ts";

/** Header Auth credentials by their id: the header's name and value. */
export type Credentials = Readonly<Record<string, { readonly name: string; readonly value: string }>>;

/** The header that the node's credential adds. */
export function headerOf(node: WorkflowNode, credentials: Credentials): Record<string, string> {
  const { id } = node.credentials.httpHeaderAuth ?? {};
  const credential = id === undefined ? undefined : credentials[id];
  if (!credential) throw new Error(`${node.name}: the credential ${id} does not exist`);
  return { [credential.name]: credential.value };
}

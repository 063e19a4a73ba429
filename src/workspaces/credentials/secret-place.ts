import { rowOf } from "../../kernel/crypto/index.ts";

/** The row that a secret of `workspaces.secrets` is encrypted for. */
export function placeOfSecret(workspaceId: string, secretId: string): string {
  return rowOf("workspaces.secrets", workspaceId, secretId);
}

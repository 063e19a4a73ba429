import { rowOf } from "../../kernel/crypto/index.ts";

/** What a secret of `workspaces.secrets` is sealed for. */
export function placeOfSecret(workspaceId: string, secretId: string): string {
  return rowOf("workspaces.secrets", workspaceId, secretId);
}

import { rowOf } from "../kernel/crypto/index.ts";

/** What a secret of `delivery.secrets` is sealed for. */
export function placeOfSecret(workspaceId: string, secretId: string): string {
  return rowOf("delivery.secrets", workspaceId, secretId);
}

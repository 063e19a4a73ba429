import type { Vault } from "../../kernel/crypto/index.ts";
import type { KeyValue } from "../../kernel/kv/index.ts";

export const telegraphKey = "seo:telegraph_token";
export const telegraphPlace = "seo telegraph token";

/** Keeps the token of the Telegraph account that makes all previews, encrypted. */
export function createTokenKeeper(keyValue: KeyValue, vault: Vault) {
  const token = async (): Promise<string | undefined> => {
    const sealed = await keyValue.get(telegraphKey);
    return sealed === undefined ? undefined : vault.decrypt(sealed, telegraphPlace);
  };
  return {
    token,
    async keep(fresh: string, instead?: string): Promise<string> {
      const known = await token();
      if (known !== undefined && known !== instead) return known;
      if (known !== undefined) await keyValue.delete(telegraphKey);
      await keyValue.setIfAbsent(telegraphKey, vault.encrypt(fresh, telegraphPlace));
      return (await token()) ?? fresh;
    },
  };
}

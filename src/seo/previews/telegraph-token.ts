import type { Vault } from "../../kernel/crypto/index.ts";
import type { KeyValue } from "../../kernel/kv/index.ts";

const key = "seo:telegraph_token";
const place = "seo telegraph token";

/** Keeps the token of the Telegraph account that makes all previews, encrypted. */
export function createTokenKeeper(keyValue: KeyValue, vault: Vault) {
  const token = async (): Promise<string | undefined> => {
    const sealed = await keyValue.get(key);
    return sealed === undefined ? undefined : vault.decrypt(sealed, place);
  };
  return {
    token,
    async keep(fresh: string, instead?: string): Promise<string> {
      const known = await token();
      if (known !== undefined && known !== instead) return known;
      if (known !== undefined) await keyValue.delete(key);
      await keyValue.setIfAbsent(key, vault.encrypt(fresh, place));
      return (await token()) ?? fresh;
    },
  };
}

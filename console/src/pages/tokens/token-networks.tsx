import { type Token, useSetTokenNetworks } from "../../api/index.ts";
import { NetworksField } from "../../secrets/index.ts";
import { useTexts } from "../../texts/index.ts";
import { FormDialog, listIn, toast } from "../../ui/index.ts";

/** From where a token works may change; what it may do may not. */
export function TokenNetworks({ token, onClose }: { token: Token; onClose: () => void }) {
  const { tokens: texts, common } = useTexts();
  const setNetworks = useSetTokenNetworks();
  return (
    <FormDialog
      title={texts.networksOf(token.name)}
      submit={common.save}
      act={(form) => setNetworks.mutateAsync({ id: token.id, networks: listIn(form, "networks") })}
      onDone={() => toast(texts.networksSaved(token.name))}
      onClose={onClose}
    >
      {(fault) => <NetworksField networks={token.networks} fault={fault} />}
    </FormDialog>
  );
}

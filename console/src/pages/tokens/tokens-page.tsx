import { Plus } from "lucide-react";
import { useRef, useState } from "react";
import { type Token, useTokens } from "../../api/index.ts";
import type { PageProps } from "../../shell/index.ts";
import { useTexts } from "../../texts/index.ts";
import { Button, Notice, Page, wordsOf } from "../../ui/index.ts";
import { CreateToken } from "./create-token.tsx";
import { RevokeToken } from "./revoke-token.tsx";
import { TokenList, TokenListSkeleton } from "./token-list.tsx";
import { TokenNetworks } from "./token-networks.tsx";
import "./tokens.css";

export function TokensPage({ session }: PageProps) {
  const texts = useTexts();
  const tokens = useTokens();
  const heading = useRef<HTMLHeadingElement>(null);
  const [creating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<Token | null>(null);
  const [networksOf, setNetworksOf] = useState<Token | null>(null);
  const [revoked, setRevoked] = useState<string | null>(null);

  const create = (
    <Button look="main" icon={<Plus aria-hidden="true" />} onClick={() => setCreating(true)}>
      {texts.tokens.create}
    </Button>
  );
  return (
    <Page
      title={texts.tokens.title}
      lead={texts.tokens.lead}
      heading={heading}
      aside={tokens.data?.length === 0 ? null : create}
    >
      {revoked !== null && <Notice tone="good">{texts.tokens.revoked(revoked)}</Notice>}
      {tokens.isError && <Notice tone="bad">{wordsOf(tokens.error, texts)}</Notice>}
      {tokens.data?.length === 0 && (
        <div className="card empty">
          <h2>{texts.tokens.empty}</h2>
          <p>{texts.tokens.emptyHint}</p>
          {create}
        </div>
      )}
      {tokens.data && tokens.data.length > 0 && (
        <TokenList
          tokens={tokens.data}
          workspaces={session.workspaces}
          onRevoke={setRevoking}
          onNetworks={setNetworksOf}
        />
      )}
      {tokens.isPending && <TokenListSkeleton />}
      {creating && <CreateToken session={session} onClose={() => setCreating(false)} />}
      {networksOf && <TokenNetworks token={networksOf} onClose={() => setNetworksOf(null)} />}
      {revoking && (
        <RevokeToken
          token={revoking}
          onRevoked={() => {
            setRevoked(revoking.name);
            // The row that had focus is gone.
            heading.current?.focus();
          }}
          onClose={() => setRevoking(null)}
        />
      )}
    </Page>
  );
}

import { Network, Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import type { Token, Workspace } from "../../api/index.ts";
import { useTexts } from "../../texts/index.ts";
import { useNow } from "../../time/index.ts";
import { Button, Moment, Skeleton } from "../../ui/index.ts";
import { ScopeName } from "./scope-name.tsx";

interface Props {
  readonly tokens: readonly Token[];
  readonly workspaces: readonly Workspace[];
  readonly onRevoke: (token: Token) => void;
  readonly onNetworks: (token: Token) => void;
}

export function TokenList({ tokens, workspaces, onRevoke, onNetworks }: Props) {
  return (
    <ul className="tokens card">
      {tokens.map((token) => (
        <li key={token.id} className="token">
          <TokenRow
            token={token}
            workspaces={workspaces}
            onRevoke={() => onRevoke(token)}
            onNetworks={() => onNetworks(token)}
          />
        </li>
      ))}
    </ul>
  );
}

function TokenRow({
  token,
  workspaces,
  onRevoke,
  onNetworks,
}: {
  token: Token;
  workspaces: readonly Workspace[];
  onRevoke: () => void;
  onNetworks: () => void;
}) {
  const { tokens: texts } = useTexts();
  const now = useNow();
  const expired = token.expires_at !== null && new Date(token.expires_at) <= now;
  const workspace = workspaces.find(({ id }) => id === token.workspace_id)?.name;
  return (
    <>
      <div className="token-what">
        <h2>{token.name}</h2>
        <p className="scope-names">
          {token.scopes.map((scope) => (
            <ScopeName key={scope} scope={scope} />
          ))}
        </p>
        <p className="token-where">
          {token.networks.length === 0 ? texts.everywhere : texts.onlyFrom(token.networks.join(", "))}
          {" · "}
          {token.made_by === null
            ? texts.madeAtCommand
            : texts.madeBy[token.made_by.kind](token.made_by.name)}
        </p>
        {workspaces.length > 1 && <p className="token-where">{workspace ?? texts.everyWorkspace}</p>}
      </div>
      <dl className="token-times">
        <Fact name={texts.created}>
          <Moment at={token.created_at} />
        </Fact>
        <Fact name={texts.lastUsed}>
          {token.last_used_at ? <Moment at={token.last_used_at} /> : texts.neverUsed}
        </Fact>
        <Fact name={expired ? texts.expired : texts.expires} bad={expired}>
          {token.expires_at ? <Moment at={token.expires_at} /> : texts.neverExpires}
        </Fact>
      </dl>
      <div className="token-actions">
        <Button
          look="quiet"
          icon={<Network aria-hidden="true" />}
          aria-label={texts.networksFor(token.name)}
          onClick={onNetworks}
        >
          {texts.networks}
        </Button>
        <Button
          look="quiet"
          icon={<Trash2 aria-hidden="true" />}
          aria-label={texts.revokeOf(token.name)}
          onClick={onRevoke}
        >
          {texts.revoke}
        </Button>
      </div>
    </>
  );
}

function Fact({ name, bad = false, children }: { name: string; bad?: boolean; children: ReactNode }) {
  return (
    <div className={bad ? "bad" : ""}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

export function TokenListSkeleton() {
  return (
    <div className="tokens card">
      {[0, 1, 2].map((row) => (
        <div key={row} className="token">
          <Skeleton height={56} />
        </div>
      ))}
    </div>
  );
}

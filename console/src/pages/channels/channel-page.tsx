import { Refused, useThing } from "../../api/index.ts";
import { Link, navigate } from "../../router/index.ts";
import type { WorkspacePageProps } from "../../shell/index.ts";
import { Card, Empty, Fault, Page, Platform, Skeleton } from "../../ui/index.ts";
import { nameOf } from "./calls.ts";
import { ChannelActions } from "./channel-actions.tsx";
import { ChannelState } from "./channel-state.tsx";
import { CredentialCard } from "./credential-card.tsx";
import { DeleteCard } from "./delete-card.tsx";
import { DeliveriesCard } from "./deliveries-card.tsx";
import { SettingsCard } from "./settings-card.tsx";
import { busyChannel } from "./shapes.ts";
import { useWords } from "./use-words.ts";
import { WaitingCard } from "./waiting-card.tsx";
import "./channels.css";

export function ChannelPage({ workspace, params: { id = "" } }: WorkspacePageProps) {
  const texts = useWords();
  const { data, error, refetch } = useThing(
    `/channels/${encodeURIComponent(id)}`,
    { workspace_id: workspace.id, activity: true },
    busyChannel,
    { topic: "channels" },
  );
  if (error && !data)
    return (
      <Page title={texts.channel}>
        {error instanceof Refused && error.status === 404 ? (
          <Empty title={texts.gone} hint={texts.goneHint}>
            <Link href="/channels">{texts.toList}</Link>
          </Empty>
        ) : (
          <Fault error={error} onRetry={() => void refetch()} />
        )}
      </Page>
    );
  if (!data)
    return (
      <Page title={texts.channel}>
        <Card title={texts.settings.title}>
          <Skeleton height={320} />
        </Card>
      </Page>
    );
  const may = (scope: string) => workspace.scopes.includes(scope);
  return (
    <Page
      key={data.channel_id}
      title={nameOf(data)}
      aside={may("operate") && <ChannelActions workspaceId={workspace.id} channel={data} />}
    >
      <div className="channel-head">
        <Platform name={data.platform} />
        <span>{data.target_name ? `${data.target_name} (${data.target_id})` : data.target_id}</span>
        <ChannelState channel={data} />
      </div>
      <div className="channel-cards">
        <WaitingCard workspaceId={workspace.id} channel={data} />
        <DeliveriesCard workspaceId={workspace.id} channelId={data.channel_id} />
      </div>
      <SettingsCard workspaceId={workspace.id} channel={data} mayWrite={may("write")} />
      <div className="channel-cards">
        <CredentialCard
          workspaceId={workspace.id}
          channel={data}
          mayOperate={may("operate")}
          mayList={may("admin")}
        />
        {may("write") && (
          <DeleteCard workspaceId={workspace.id} channel={data} onDeleted={() => navigate("/channels")} />
        )}
      </div>
    </Page>
  );
}

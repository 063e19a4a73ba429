import { useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { type ChangeEvent, useState } from "react";
import type { WorkspacePageProps } from "../../shell/index.ts";
import { AreaField, Button, Card, Fault, Notice, Page } from "../../ui/index.ts";
import { useAllChannels } from "./calls.ts";
import { PlanCard } from "./file/plan-card.tsx";
import type { Channel } from "./shapes.ts";
import { useWords } from "./use-words.ts";
import "./channels.css";
import "./file/file.css";

/** All channels as a file, and a file as changes that are shown before they are made. */
export function ChannelFilePage({ workspace }: WorkspacePageProps) {
  const { file } = useWords();
  const channels = useAllChannels(workspace.id);
  const yaml = useQuery({
    queryKey: ["channel-file-code"],
    queryFn: () => import("./file/channel-file.ts"),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const [text, setText] = useState("");
  const take = async (event: ChangeEvent<HTMLInputElement>) => {
    const [chosen] = event.target.files ?? [];
    // The same file can then be chosen again after it was edited.
    event.target.value = "";
    if (chosen) setText(await chosen.text());
  };
  const error = channels.error ?? yaml.error;
  return (
    <Page title={file.title} lead={file.lead}>
      {error && <Fault error={error} onRetry={() => void channels.refetch()} />}
      <Card title={file.exportTitle}>
        <div className="form">
          <p className="soft">{file.exportHint}</p>
          <div>
            <Button
              icon={<Download aria-hidden="true" />}
              busy={!channels.data || !yaml.data}
              onClick={() => {
                if (channels.data && yaml.data) download(yaml.data.writeFile(channels.data), workspace.name);
              }}
            >
              {file.download(channels.data?.length ?? 0)}
            </Button>
          </div>
        </div>
      </Card>
      {workspace.scopes.includes("write") && (
        <Card title={file.importTitle}>
          <div className="form">
            <p className="soft">{file.importHint}</p>
            <label className="file-choice">
              <span className="button plain">{file.choose}</span>
              <input type="file" accept=".yaml,.yml,text/yaml" className="unseen" onChange={take} />
            </label>
            <div className="file-text">
              <AreaField
                label={file.text}
                hint={file.textHint}
                rows={12}
                spellCheck={false}
                value={text}
                placeholder={file.example}
                onChange={(event) => setText(event.target.value)}
              />
            </div>
            {text.trim() !== "" && channels.data && yaml.data && (
              <Checked code={yaml.data} text={text} channels={channels.data} workspaceId={workspace.id} />
            )}
          </div>
        </Card>
      )}
    </Page>
  );
}

interface CheckedProps {
  readonly code: typeof import("./file/channel-file.ts");
  readonly text: string;
  readonly channels: readonly Channel[];
  readonly workspaceId: string;
}

function Checked({ code, text, channels, workspaceId }: CheckedProps) {
  const { file } = useWords();
  const read = code.readFile(text);
  if (read.ok)
    return <PlanCard key={text} workspaceId={workspaceId} plan={code.planOf(read.entries, channels)} />;
  return (
    <Notice tone="bad" title={file.refused}>
      <ul>
        {read.faults.map(({ line, kind, detail }) => (
          <li key={`${line} ${kind} ${detail}`}>{file.faults[kind](line, detail)}</li>
        ))}
      </ul>
    </Notice>
  );
}

function download(text: string, workspace: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "text/yaml" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = `${workspace} channels.yaml`;
  link.click();
  URL.revokeObjectURL(url);
}

import { Pause, Play, Power, RotateCcw, Stethoscope } from "lucide-react";
import { useState } from "react";
import { useTexts } from "../../texts/index.ts";
import { Button, toast } from "../../ui/index.ts";
import { channelChoice, RecoverDialog } from "../overview/index.ts";
import { BulkDialog } from "./bulk-dialog.tsx";
import { type Deed, nameOf } from "./calls.ts";
import type { Channel } from "./shapes.ts";
import { TestManyDialog } from "./test-many-dialog.tsx";
import { useWords } from "./use-words.ts";

/** The main actions on one channel. */
export function ChannelActions({ workspaceId, channel }: { workspaceId: string; channel: Channel }) {
  const texts = useWords();
  const { recover } = useTexts();
  const [open, setOpen] = useState<Deed | "test" | "recover" | null>(null);
  const close = () => setOpen(null);
  const named = { id: channel.channel_id, name: nameOf(channel) };
  return (
    <div className="channel-actions">
      <Button icon={<Stethoscope aria-hidden="true" />} onClick={() => setOpen("test")}>
        {texts.test.open}
      </Button>
      {channel.state === "active" ? (
        <Button icon={<Pause aria-hidden="true" />} onClick={() => setOpen("pause")}>
          {texts.deeds.pause}
        </Button>
      ) : (
        <Button look="main" icon={<Play aria-hidden="true" />} onClick={() => setOpen("resume")}>
          {texts.deeds.resume}
        </Button>
      )}
      {channel.state !== "disabled" && (
        <Button icon={<Power aria-hidden="true" />} onClick={() => setOpen("disable")}>
          {texts.deeds.disable}
        </Button>
      )}
      <Button icon={<RotateCcw aria-hidden="true" />} onClick={() => setOpen("recover")}>
        {recover.open}
      </Button>
      {open === "test" && <TestManyDialog workspaceId={workspaceId} channels={[named]} onClose={close} />}
      {open === "recover" && (
        <RecoverDialog
          workspaceId={workspaceId}
          first={channelChoice(named.id, named.name)}
          onRecovered={({ recovered, resumed }) => toast(recover.done(recovered, resumed))}
          onClose={close}
        />
      )}
      {(open === "pause" || open === "resume" || open === "disable") && (
        <BulkDialog workspaceId={workspaceId} deed={open} channels={[named]} onClose={close} />
      )}
    </div>
  );
}

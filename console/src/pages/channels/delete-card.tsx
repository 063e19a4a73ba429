import { Trash2 } from "lucide-react";
import { useState } from "react";
import { useChange } from "../../api/index.ts";
import { AskDialog, Button, Card, CheckField, toast } from "../../ui/index.ts";
import { channelTopics, deleteChannel, nameOf } from "./calls.ts";
import type { BusyChannel } from "./shapes.ts";
import { useWords } from "./use-words.ts";

interface Props {
  readonly workspaceId: string;
  readonly channel: BusyChannel;
  readonly onDeleted: () => void;
}

export function DeleteCard({ workspaceId, channel, onDeleted }: Props) {
  const texts = useWords();
  const [asking, setAsking] = useState(false);
  const [force, setForce] = useState(false);
  const remove = useChange(
    (reason: string) => deleteChannel(workspaceId, channel.channel_id, reason, force),
    channelTopics,
  );
  const name = nameOf(channel);
  const waiting = channel.activity?.waiting ?? 0;
  return (
    <Card title={texts.remove.title}>
      <div className="form">
        <p className="soft">{texts.remove.hint}</p>
        <div>
          <Button icon={<Trash2 aria-hidden="true" />} onClick={() => setAsking(true)}>
            {texts.remove.open}
          </Button>
        </div>
      </div>
      {asking && (
        <AskDialog
          title={texts.remove.ask(name)}
          submit={texts.remove.submit}
          look="danger"
          asksReason
          typeToConfirm={name}
          act={remove.mutateAsync}
          onDone={() => {
            toast(texts.remove.done(name));
            onDeleted();
          }}
          onClose={() => setAsking(false)}
        >
          <p>{texts.remove.consequences}</p>
          {waiting > 0 && (
            <CheckField
              label={texts.remove.force(waiting)}
              checked={force}
              onChange={(event) => setForce(event.target.checked)}
            />
          )}
        </AskDialog>
      )}
    </Card>
  );
}

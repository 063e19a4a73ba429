import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useChange } from "../../../api/index.ts";
import { useTexts } from "../../../texts/index.ts";
import { AskDialog, Button, Notice, toast, wordsOf } from "../../../ui/index.ts";
import { channelTopics, deleteChannel, forgetCredential, nameOf, testChannel } from "../calls.ts";
import type { Channel } from "../shapes.ts";
import { TestReport } from "../test-report.tsx";
import { useWords } from "../use-words.ts";

interface Props {
  readonly workspaceId: string;
  readonly channel: Channel;
  /** The credential was stored for this channel. */
  readonly stored: boolean;
  readonly onPassed: () => void;
  readonly onKept: () => void;
  readonly onRemoved: (forgotten: boolean) => void;
}

/** Tests the channel, which is still switched off; what failed can be mended and tested again, kept for later or removed. */
export function TestStep({ workspaceId, channel, stored, onPassed, onKept, onRemoved }: Props) {
  const texts = useWords();
  const common = useTexts();
  const [removing, setRemoving] = useState(false);
  const test = useQuery({
    queryKey: ["channel-tests", workspaceId, channel.channel_id],
    queryFn: () => testChannel(workspaceId, channel.channel_id),
    gcTime: 0,
  });
  const remove = useChange(async (reason: string) => {
    await deleteChannel(workspaceId, channel.channel_id, reason);
    if (stored) await forgetCredential(workspaceId, channel, reason);
  }, channelTopics);
  if (test.isPending) return <p role="status">{texts.wizard.testing}</p>;
  return (
    <>
      {test.error && <Notice tone="bad">{wordsOf(test.error, common)}</Notice>}
      {test.data && (
        <>
          <Notice tone={test.data.ok ? "good" : "bad"}>
            {test.data.ok ? texts.wizard.good : texts.wizard.bad}
          </Notice>
          <TestReport test={test.data} />
        </>
      )}
      <div className="form-actions">
        {!test.data?.ok && (
          <>
            <Button look="quiet" onClick={() => setRemoving(true)}>
              {texts.wizard.remove}
            </Button>
            <Button
              onClick={() => {
                toast(texts.wizard.kept(nameOf(channel)));
                onKept();
              }}
            >
              {texts.wizard.keep}
            </Button>
          </>
        )}
        <Button
          look={test.data?.ok ? "plain" : "main"}
          busy={test.isFetching}
          onClick={() => void test.refetch()}
        >
          {texts.test.again}
        </Button>
        {test.data?.ok && (
          <Button look="main" onClick={onPassed}>
            {texts.wizard.next}
          </Button>
        )}
      </div>
      {removing && (
        <AskDialog
          title={texts.remove.ask(nameOf(channel))}
          submit={texts.remove.submit}
          look="danger"
          act={() => remove.mutateAsync(texts.wizard.removeReason)}
          onDone={() => onRemoved(stored)}
          onClose={() => setRemoving(false)}
        >
          <p>{stored ? texts.wizard.removesBoth : texts.wizard.removesChannel}</p>
        </AskDialog>
      )}
    </>
  );
}

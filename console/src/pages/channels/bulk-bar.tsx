import { Pause, Play, Stethoscope } from "lucide-react";
import { useState } from "react";
import { useTexts } from "../../texts/index.ts";
import { Button, Toolbar, toast, useOnce, wordsOf } from "../../ui/index.ts";
import { BulkDialog } from "./bulk-dialog.tsx";
import { allChannels, nameOf } from "./calls.ts";
import type { Channel } from "./shapes.ts";
import { TestManyDialog } from "./test-many-dialog.tsx";
import { useWords } from "./use-words.ts";

interface Props {
  readonly workspaceId: string;
  readonly chosen: ReadonlySet<string>;
  readonly known: readonly Channel[];
  /** Given where more channels fit than are shown or chosen. */
  readonly filter: Readonly<Record<string, string>> | undefined;
  readonly onChoose: (chosen: ReadonlySet<string>) => void;
}

/** What can be done with the chosen channels, and a way to choose everything that fits the filter, a tag for example. */
export function BulkBar({ workspaceId, chosen, known, filter, onChoose }: Props) {
  const texts = useWords();
  const common = useTexts();
  const [more, setMore] = useState<readonly Channel[]>([]);
  const [open, setOpen] = useState<"pause" | "resume" | "test" | null>(null);
  const names = new Map([...known, ...more].map((each) => [each.channel_id, nameOf(each)]));
  const channels = [...chosen].map((id) => ({ id, name: names.get(id) ?? id }));
  const chooseAll = useOnce(async () => {
    try {
      const found = await allChannels(workspaceId, filter);
      setMore(found);
      onChoose(new Set(found.map(({ channel_id }) => channel_id)));
    } catch (error) {
      if (error instanceof Error) toast(wordsOf(error, common));
    }
  });
  const close = () => setOpen(null);
  return (
    <section className="bulk-bar card" aria-label={texts.bulk.label}>
      <strong>{texts.bulk.chosen(chosen.size)}</strong>
      <Toolbar>
        {filter && (
          <Button look="quiet" onClick={() => chooseAll()}>
            {texts.bulk.everything}
          </Button>
        )}
        <Button icon={<Stethoscope aria-hidden="true" />} onClick={() => setOpen("test")}>
          {texts.test.open}
        </Button>
        <Button icon={<Pause aria-hidden="true" />} onClick={() => setOpen("pause")}>
          {texts.deeds.pause}
        </Button>
        <Button icon={<Play aria-hidden="true" />} onClick={() => setOpen("resume")}>
          {texts.deeds.resume}
        </Button>
        <Button look="quiet" onClick={() => onChoose(new Set())}>
          {texts.bulk.none}
        </Button>
      </Toolbar>
      {open === "test" && <TestManyDialog workspaceId={workspaceId} channels={channels} onClose={close} />}
      {(open === "pause" || open === "resume") && (
        <BulkDialog
          workspaceId={workspaceId}
          deed={open}
          channels={channels}
          onDone={() => onChoose(new Set())}
          onClose={close}
        />
      )}
    </section>
  );
}

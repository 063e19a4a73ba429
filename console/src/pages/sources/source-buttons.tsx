import type { Workspace } from "../../api/index.ts";
import { usePageTexts, useTexts } from "../../texts/index.ts";
import { Button, toast, useOnce, wordsOf } from "../../ui/index.ts";
import { failureWords } from "./run-words.ts";
import type { Report, Source } from "./shapes.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";
import { useRehearsal, useSourceActs } from "./use-sources.ts";

interface Props {
  readonly workspace: Workspace;
  readonly source: Source;
  readonly onRehearsed: (report: Report) => void;
  readonly onChange: () => void;
  readonly onAsk: (question: "disable" | "remove") => void;
}

/** What a person may do with a source; what they may not is not shown. */
export function SourceButtons({ workspace, source, onRehearsed, onChange, onAsk }: Props) {
  const texts = usePageTexts({ ru, en });
  const common = useTexts();
  const { run, turn } = useSourceActs(workspace.id);
  const rehearsal = useRehearsal(workspace.id);
  const { source_id: id, kind, config, enabled } = source;
  const told = (work: () => Promise<string | undefined>) => async () => {
    try {
      const words = await work();
      if (words !== undefined) toast(words);
    } catch (error) {
      toast(error instanceof Error ? wordsOf(error, common) : common.faults.unexpected);
    }
  };
  const runNow = useOnce(told(async () => ranWords(await run.mutateAsync(id), texts)));
  const rehearse = useOnce(
    told(async () => {
      onRehearsed(await rehearsal.mutateAsync({ source_id: id, kind, config }));
      return undefined;
    }),
  );
  const enable = useOnce(
    told(async () => {
      await turn.mutateAsync({ id, on: true });
      return texts.enabled;
    }),
  );
  const mayOperate = workspace.scopes.includes("operate");
  const mayWrite = workspace.scopes.includes("write");
  return (
    <div className="source-buttons">
      {mayOperate && enabled && (
        <Button look="main" busy={run.isPending} onClick={runNow}>
          {texts.run}
        </Button>
      )}
      {mayWrite && (
        <Button busy={rehearsal.isPending} onClick={rehearse}>
          {texts.rehearse}
        </Button>
      )}
      {mayWrite && <Button onClick={onChange}>{texts.change}</Button>}
      {mayOperate && enabled && <Button onClick={() => onAsk("disable")}>{texts.disable}</Button>}
      {mayOperate && !enabled && (
        <Button look="main" busy={turn.isPending} onClick={enable}>
          {texts.enable}
        </Button>
      )}
      {mayWrite && (
        <Button look="quiet" onClick={() => onAsk("remove")}>
          {texts.remove}
        </Button>
      )}
    </div>
  );
}

function ranWords({ outcome, stats, failure }: Report, { ran, ...texts }: typeof ru): string {
  if (outcome === "failed") return ran.failed(failure ? failureWords(failure, { ran, ...texts }) : "");
  if (outcome === "interrupted") return ran.interrupted;
  return outcome === "done" ? ran.done(stats?.accepted ?? 0) : ran.unchanged;
}

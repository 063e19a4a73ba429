import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTexts } from "../../texts/index.ts";
import { Button, Dialog, Notice, wordsOf } from "../../ui/index.ts";
import { forEach } from "./bulk.ts";
import type { Named } from "./bulk-dialog.tsx";
import { testChannel } from "./calls.ts";
import { TestReport } from "./test-report.tsx";
import { useWords } from "./use-words.ts";

interface Props {
  readonly workspaceId: string;
  readonly channels: readonly Named[];
  readonly onClose: () => void;
}

/** Asks the platforms whether the channels may post; nothing is posted. */
export function TestManyDialog({ workspaceId, channels, onClose }: Props) {
  const texts = useWords();
  const common = useTexts();
  const [done, setDone] = useState(0);
  const names = new Map(channels.map(({ id, name }) => [id, name]));
  const tests = useQuery({
    queryKey: ["channel-tests", workspaceId, channels.map(({ id }) => id)],
    queryFn: () =>
      forEach(
        channels.map(({ id }) => id),
        (id) => testChannel(workspaceId, id),
        setDone,
      ),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const wrong = tests.data?.filter(({ result }) => !result?.ok) ?? [];
  const only = channels.length === 1 ? tests.data?.[0]?.result : undefined;
  return (
    <Dialog title={texts.test.title(channels.length)} onClose={onClose}>
      {(close) => (
        <>
          {tests.data ? (
            <Notice tone={wrong.length === 0 ? "good" : "bad"}>
              {texts.test.summary(tests.data.length - wrong.length, wrong.length)}
            </Notice>
          ) : (
            <p role="status">{texts.test.running(done, channels.length)}</p>
          )}
          {only?.ok && <TestReport test={only} />}
          {wrong.map(({ id, result, error }) => (
            <section key={id} aria-label={names.get(id)}>
              <h3>{names.get(id)}</h3>
              {error && <p>{wordsOf(error, common)}</p>}
              {result && <TestReport test={result} />}
            </section>
          ))}
          <div className="form-actions">
            {tests.data && (
              <Button
                onClick={() => {
                  setDone(0);
                  void tests.refetch();
                }}
                busy={tests.isFetching}
              >
                {texts.test.again}
              </Button>
            )}
            <Button look="main" onClick={close}>
              {common.common.close}
            </Button>
          </div>
        </>
      )}
    </Dialog>
  );
}

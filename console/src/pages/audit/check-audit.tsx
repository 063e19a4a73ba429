import { ShieldCheck } from "lucide-react";
import { ask, useChange, withQuery } from "../../api/index.ts";
import { usePageTexts, useTexts } from "../../texts/index.ts";
import { Button, Moment, Notice, wordsOf } from "../../ui/index.ts";
import { verdict } from "./shapes.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";

/** Every entry since the beginning is read. */
const patienceMs = 120_000;

/** Whether nobody has changed or removed anything, in a sentence. */
export function CheckAudit({ chain }: { chain: string | undefined }) {
  const texts = usePageTexts({ ru, en });
  const all = useTexts();
  const check = useChange(
    () => ask(withQuery("/audit/verify", { workspace_id: chain }), verdict, { patienceMs }),
    [],
  );
  const found = check.data;
  return (
    <div className="card audit-check">
      <p>{texts.checkHint}</p>
      <Button
        icon={<ShieldCheck aria-hidden="true" />}
        busy={check.isPending}
        onClick={() => check.mutate(undefined)}
      >
        {texts.check}
      </Button>
      {check.error && <Notice tone="bad">{wordsOf(check.error, all)}</Notice>}
      {found?.ok && (
        <Notice tone="good" title={texts.whole(found.entries)}>
          {found.sealed_at && (
            <p>
              {texts.sealed} <Moment at={found.sealed_at} />
            </p>
          )}
          {found.accepted > 0 && <p>{texts.accepted(found.accepted)}</p>}
        </Notice>
      )}
      {found && !found.ok && (
        <Notice tone="bad" title={texts.broken(found.findings.length)}>
          <ul className="audit-findings">
            {found.findings.map(({ finding, seq, until_seq, workspace_id, says }) => (
              <li key={`${finding} ${workspace_id} ${seq}`} title={says}>
                {texts.finding(finding, seq, until_seq)}
              </li>
            ))}
          </ul>
          <p>{texts.brokenHint}</p>
        </Notice>
      )}
    </div>
  );
}

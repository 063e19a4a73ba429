import { usePageTexts } from "../../texts/index.ts";
import { Notice } from "../../ui/index.ts";
import type { Accepted } from "./shapes.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";

/** What the rehearsal found besides channels that simply get the post. */
export function WhatHappens({ answer }: { answer: Accepted }) {
  const { summary: texts, where } = usePageTexts({ ru, en });
  if ("dropped" in answer) return <Notice tone="warn">{texts.repeated}</Notice>;
  const { queued, deduped, skipped_inflight: inflight, failed_permanent: refused } = answer;
  if (queued + deduped + inflight + refused === 0)
    return (
      <Notice tone="bad" title={where.none}>
        {where.noneHint}
      </Notice>
    );
  return (
    <>
      {refused > 0 && <Notice tone="warn">{texts.refused(refused)}</Notice>}
      {deduped > 0 && <Notice tone="warn">{texts.deduped(deduped)}</Notice>}
      {inflight > 0 && <Notice tone="warn">{texts.inflight(inflight)}</Notice>}
    </>
  );
}

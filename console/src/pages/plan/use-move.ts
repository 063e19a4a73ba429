import { useState } from "react";
import { useChange } from "../../api/index.ts";
import { locale } from "../../preferences/index.ts";
import { usePageTexts, useTexts } from "../../texts/index.ts";
import { zonedTime } from "../../time/index.ts";
import { toast } from "../../ui/index.ts";
import { momentIn } from "./days.ts";
import { refusalWords } from "./entry-words.ts";
import type { Entry } from "./shapes.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";
import { reschedule, sendNow } from "./use-plan.ts";

const topics = ["plan", "deliveries"];

/** Moves an entry to a time on the clock of its zone, and offers the way back. */
export function useMove(workspaceId: string) {
  const texts = usePageTexts({ ru, en });
  const common = useTexts();
  const language = locale.use();
  const [refusal, setRefusal] = useState<string | null>(null);
  const change = useChange((work: () => Promise<unknown>) => work(), topics);

  const goBack = async ({ id, at }: Entry) => {
    const before = new Date(at);
    const reason = texts.move.undoReason;
    try {
      // What would have gone out meanwhile goes out now.
      await change.mutateAsync(() =>
        before > new Date()
          ? reschedule(workspaceId, { id, at: before, reason })
          : sendNow(workspaceId, id, reason),
      );
      toast(texts.move.movedBack);
    } catch (error) {
      setRefusal(refusalWords(error, texts, common));
    }
  };

  const move = async (entry: Entry, local: string, reason: string) => {
    const at = momentIn(entry.zone, local);
    setRefusal(null);
    await change.mutateAsync(() => reschedule(workspaceId, { id: entry.id, at, reason }));
    toast(texts.move.moved(zonedTime(at, entry.zone, language)), () => void goBack(entry));
  };

  const drop = async (entry: Entry, local: string) => {
    if (local === entry.local.slice(0, 16).replace(" ", "T")) return;
    try {
      await move(entry, local, texts.move.dragReason);
    } catch (error) {
      setRefusal(refusalWords(error, texts, common));
    }
  };
  return { move, drop, refusal, forget: () => setRefusal(null) };
}

import { usePageTexts } from "../../texts/index.ts";
import type { Entry } from "./shapes.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";

/** Whom or what an entry is about, and everything that was noted with it. */
export function EntryDetails({ entry: { subject, subject_name: name, meta, seq } }: { entry: Entry }) {
  const texts = usePageTexts({ ru, en });
  const known: Readonly<Record<string, string>> = texts.subjects;
  const { reason, ...rest } = meta;
  // A change of something that has no id of its own says at least what it was.
  const about = subject?.kind ?? (typeof meta.object === "string" ? meta.object : undefined);
  return (
    <>
      {about !== undefined && (
        <div className="soft breaks">
          {[known[about] ?? about, name ?? nameIn(meta) ?? subject?.id].filter(Boolean).join(": ")}
        </div>
      )}
      {typeof reason === "string" && <div className="soft breaks">{texts.because(reason)}</div>}
      {Object.keys(rest).length > 0 && (
        <details className="audit-details">
          <summary>{texts.details(seq)}</summary>
          <pre className="raw">{JSON.stringify(rest, null, 2)}</pre>
        </details>
      )}
    </>
  );
}

/** The name it had then. */
function nameIn({ name, login }: Entry["meta"]): string | null {
  if (typeof name === "string") return name;
  return typeof login === "string" ? login : null;
}

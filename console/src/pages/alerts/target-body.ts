import { listIn, numberIn, textIn } from "../../ui/index.ts";
import type { Target, TargetKind } from "./shapes.ts";

/** What the form says about a target. Of a known one, what was left empty and is not shown stays as it is. */
export function targetIn(form: FormData, kind: TargetKind, known?: Target): object {
  const secret = textIn(form, "secret");
  return {
    config: configs[kind](form, known !== undefined),
    language: textIn(form, "language"),
    enabled: form.has("enabled"),
    ...(secret !== "" && { secret }),
  };
}

const configs: Readonly<Record<TargetKind, (form: FormData, isKnown: boolean) => object>> = {
  telegram(form, isKnown) {
    const thread = numberIn(form, "thread_id");
    return {
      chat_id: textIn(form, "chat_id"),
      ...(thread !== undefined ? { thread_id: thread } : isKnown && { thread_id: null }),
    };
  },
  webhook(form) {
    const url = textIn(form, "url");
    return { ...(url !== "" && { url }), secret_as: textIn(form, "secret_as") };
  },
  email(form, isKnown) {
    const from = textIn(form, "from");
    return { to: listIn(form, "to"), ...(from !== "" ? { from } : isKnown && { from: null }) };
  },
};

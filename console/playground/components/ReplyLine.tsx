/** The message that is answered; scrolls there if it is on the page. */
import { useSettings } from "../settings.tsx";
import type { MessageView } from "../types.ts";
import { domId } from "./PostView.tsx";

type Reply = NonNullable<MessageView["replyTo"]>;

export function ReplyLine({ reply }: { reply: Reply }) {
  const { texts } = useSettings();
  return (
    <button type="button" className="reply" title={texts.goToReplied} onClick={() => goTo(reply.id)}>
      <strong>{reply.author}</strong>
      <span>{reply.text || texts.media.other}</span>
    </button>
  );
}

function goTo(messageId: string): void {
  const target = document.getElementById(domId(messageId));
  if (!target) return;
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  target.scrollIntoView({ block: "center", behavior: calm ? "instant" : "smooth" });
  target.classList.remove("pointed");
  // Reading the layout restarts the highlight if the same reply is tapped twice.
  void target.offsetWidth;
  target.classList.add("pointed");
}

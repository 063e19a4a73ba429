import { type Secret, ShownOnce } from "../../secrets/index.ts";
import { usePageTexts } from "../../texts/index.ts";
import { addressOf, samplePost } from "./samples.ts";
import type { Opened } from "./shapes.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";

interface Props {
  readonly title: string;
  readonly opened: Opened;
  readonly onClose: () => void;
}

/** The secrets of an endpoint, with what to do with them. */
export function EndpointSecret({ title, opened, onClose }: Props) {
  const texts = usePageTexts({ ru, en });
  const { secret, signing_secret: signing, mode } = opened;
  const sample = samplePost(location.origin, opened, texts.sampleText);
  const address = addressOf(location.origin, opened);
  const secrets: Secret[] = [
    ...(secret === null ? [] : [{ label: texts.secret, text: secret }]),
    ...(signing === null ? [] : [{ label: texts.signingSecret, text: signing }]),
    ...(address && (mode !== "secret" || opened.kind === "bot_webhook")
      ? [{ label: texts.address, text: address }]
      : []),
    ...(sample ? [{ label: texts.tryIt, text: sample, isCommand: true }] : []),
  ];
  return (
    <ShownOnce title={title} secrets={secrets} onClose={onClose}>
      {signing !== null && <p className="soft">{texts.signingHint}</p>}
      {opened.kind === "bot_webhook" && <p className="soft">{texts.botHint}</p>}
    </ShownOnce>
  );
}

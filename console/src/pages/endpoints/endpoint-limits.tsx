import { NetworksField } from "../../secrets/index.ts";
import { usePageTexts } from "../../texts/index.ts";
import { CheckField, listIn, numberIn, TextField } from "../../ui/index.ts";
import type { EndpointFields } from "./api.ts";
import type { Endpoint } from "./shapes.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";

const kilobyte = 1024;

interface Props {
  /** Absent for a new one, whose empty fields get the server's defaults. */
  readonly endpoint?: Endpoint;
  readonly fault: (pointer: string) => string | undefined;
}

/** What an endpoint lets in. */
export function EndpointLimits({ endpoint, fault }: Props) {
  const texts = usePageTexts({ ru, en });
  return (
    <>
      <TextField
        label={texts.rate}
        hint={texts.rateHint}
        fault={fault("/ingress_rps")}
        name="ingress_rps"
        type="number"
        min={0}
        max={10_000}
        step="any"
        defaultValue={endpoint?.ingress_rps}
        placeholder={endpoint ? undefined : texts.usual}
      />
      <TextField
        label={texts.size}
        hint={texts.sizeHint}
        fault={fault("/max_payload_bytes")}
        name="max_payload_kb"
        type="number"
        min={0}
        max={1024}
        step="any"
        defaultValue={endpoint && endpoint.max_payload_bytes / kilobyte}
        placeholder={endpoint ? undefined : texts.usual}
      />
      <TextField
        label={texts.window}
        hint={texts.windowHint}
        fault={fault("/hash_drop_window_sec")}
        name="hash_drop_window_sec"
        type="number"
        min={1}
        max={86_400}
        defaultValue={endpoint?.hash_drop_window_sec}
        placeholder={endpoint ? undefined : texts.usual}
      />
      <NetworksField networks={endpoint?.networks ?? []} fault={fault} />
      <CheckField
        label={texts.keepBodies}
        hint={texts.keepBodiesHint}
        name="keep_bodies"
        defaultChecked={endpoint?.keep_bodies ?? false}
      />
    </>
  );
}

export function limitsIn(form: FormData): Omit<EndpointFields, "name"> {
  const rate = numberIn(form, "ingress_rps");
  const kilobytes = numberIn(form, "max_payload_kb");
  const window = numberIn(form, "hash_drop_window_sec");
  return {
    ...(rate !== undefined && { ingress_rps: rate }),
    ...(kilobytes !== undefined && { max_payload_bytes: Math.round(kilobytes * kilobyte) }),
    ...(window !== undefined && { hash_drop_window_sec: window }),
    keep_bodies: form.has("keep_bodies"),
    networks: listIn(form, "networks"),
  };
}

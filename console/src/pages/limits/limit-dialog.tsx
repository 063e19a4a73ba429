import { type FormEvent, useState } from "react";
import * as z from "zod/mini";
import { tell, useChange, useList } from "../../api/index.ts";
import { usePageTexts, useTexts } from "../../texts/index.ts";
import {
  Button,
  Dialog,
  faultOf,
  Notice,
  SelectField,
  TextField,
  toast,
  useOnce,
  wordsOf,
} from "../../ui/index.ts";
import { type Limit, limitPath } from "./limits-page.tsx";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";

const grouped = z.object({ platform: z.string(), rate_group: z.string() });
const platforms = ["telegram", "max", "vk", "wordpress", "pinterest"] as const;

interface Props {
  readonly workspaceId: string;
  /** Absent for a new one. */
  readonly limit: Limit | undefined;
  readonly onClose: () => void;
}

export function LimitDialog({ workspaceId, limit, onClose }: Props) {
  const texts = usePageTexts({ ru, en });
  const common = useTexts();
  const channels = useList("/channels", { workspace_id: workspaceId }, grouped, {
    topic: "channels",
    limit: 200,
  });
  const [platform, setPlatform] = useState<string>(limit?.platform ?? platforms[0]);
  const [misread, setMisread] = useState(false);
  const groups = (channels.items ?? [])
    .filter((each) => each.platform === platform)
    .map(({ rate_group }) => rate_group);
  const set = useChange(
    ({ rate_rps, ...key }: Pick<Limit, "platform" | "rate_group" | "rate_rps">) =>
      tell(limitPath(workspaceId, key), { method: "PUT", body: { rate_rps } }),
    ["limits"],
  );
  const send = useOnce(async (change: Parameters<typeof set.mutateAsync>[0], close: () => void) => {
    const saved = await set.mutateAsync(change).then(
      () => true,
      () => false, // shown from set.error
    );
    if (!saved) return;
    toast(texts.saved(change.rate_group));
    close();
  });
  const submit = (close: () => void) => (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const typed = String(form.get("rate")).trim().replace(",", ".");
    const rate_rps = typed === "" ? null : Number(typed);
    setMisread(Number.isNaN(rate_rps));
    if (Number.isNaN(rate_rps)) return;
    send({ platform, rate_group: limit?.rate_group ?? String(form.get("group")).trim(), rate_rps }, close);
  };
  return (
    <Dialog
      title={limit ? texts.changeOf(limit.rate_group) : texts.add}
      onClose={onClose}
      locked={set.isPending}
    >
      {(close) => (
        <form className="form" onSubmit={submit(close)}>
          {set.error && <Notice tone="bad">{wordsOf(set.error, common)}</Notice>}
          {!limit && (
            <>
              <SelectField
                label={texts.platform}
                value={platform}
                onChange={(event) => setPlatform(event.target.value)}
              >
                {platforms.map((name) => (
                  <option key={name} value={name}>
                    {common.platforms[name]}
                  </option>
                ))}
              </SelectField>
              <TextField
                label={texts.group}
                hint={texts.groupHint}
                fault={faultOf(set.error, "/rate_group")}
                name="group"
                list="rate-groups"
                maxLength={200}
                required
                autoComplete="off"
              />
              <datalist id="rate-groups">
                {[...new Set(groups)].map((name) => (
                  <option key={name} value={name} />
                ))}
              </datalist>
            </>
          )}
          <TextField
            label={texts.rate}
            hint={texts.rateHint}
            fault={misread ? texts.notNumber : faultOf(set.error, "/rate_rps")}
            name="rate"
            defaultValue={limit?.rate_rps ?? ""}
            inputMode="decimal"
            autoComplete="off"
          />
          <div className="form-actions">
            <Button onClick={close}>{common.common.cancel}</Button>
            <Button look="main" type="submit" busy={set.isPending}>
              {common.common.save}
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}

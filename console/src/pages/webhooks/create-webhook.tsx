import { ShownOnce, useMade } from "../../secrets/index.ts";
import { usePageTexts } from "../../texts/index.ts";
import { FormDialog, TextField, textIn } from "../../ui/index.ts";
import { useCreateWebhook } from "./api.ts";
import { EventChoice, typesIn } from "./event-choice.tsx";
import type { WithSecret } from "./shapes.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";

/** Asks whom to tell and of what, then shows the secret that the receiver checks signatures with. */
export function CreateWebhook({ workspaceId, onClose }: { workspaceId: string; onClose: () => void }) {
  const texts = usePageTexts({ ru, en });
  const create = useCreateWebhook(workspaceId);
  const { made, keep, closeAsking } = useMade<WithSecret>(onClose);
  if (made)
    return (
      <ShownOnce title={texts.madeTitle} secrets={[{ text: made.secret }]} onClose={onClose}>
        <p className="soft">{texts.secretHint}</p>
      </ShownOnce>
    );
  return (
    <FormDialog
      title={texts.create}
      submit={texts.submitCreate}
      act={(form) =>
        create.mutateAsync({
          url: textIn(form, "url"),
          description: textIn(form, "description") || null,
          types: typesIn(form),
        })
      }
      onDone={keep}
      onClose={closeAsking}
    >
      {(fault) => (
        <>
          <TextField
            label={texts.url}
            hint={texts.urlHint}
            fault={fault("/url")}
            name="url"
            type="url"
            maxLength={2048}
            required
            autoFocus
            autoComplete="off"
          />
          <TextField
            label={texts.description}
            hint={texts.descriptionHint}
            fault={fault("/description")}
            name="description"
            maxLength={1000}
            autoComplete="off"
          />
          <EventChoice types={null} fault={fault("/types")} />
        </>
      )}
    </FormDialog>
  );
}

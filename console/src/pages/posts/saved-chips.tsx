import { BookmarkPlus, X } from "lucide-react";
import { useState } from "react";
import { Link } from "../../router/index.ts";
import { AskDialog, Button, TextField, toast } from "../../ui/index.ts";
import { filtersIn, type SavedFilter, savedFilters, withFilter, withoutFilter } from "./saved-filters.ts";
import { usePostsTexts } from "./use-posts-texts.ts";

/** The filters a person has saved, and a way to save the present one. */
export function SavedChips({ workspaceId, address }: { workspaceId: string; address: string }) {
  const { filter: texts } = usePostsTexts();
  const [naming, setNaming] = useState(false);
  const all = filtersIn(savedFilters.use());
  const own = all.filter(({ workspace }) => workspace === workspaceId);
  const keep = (filters: readonly SavedFilter[]) => savedFilters.set(JSON.stringify(filters));
  const remove = (filter: SavedFilter) => {
    keep(withoutFilter(all, filter));
    toast(texts.removed(filter.name), () => keep(withFilter(filtersIn(savedFilters.get()), filter)));
  };
  const isKnown = own.some(({ query }) => query === address);
  if (own.length === 0 && address === "") return null;
  return (
    <div className="saved-filters">
      {own.length > 0 && (
        <ul className="chips" aria-label={texts.saved}>
          {own.map((filter) => (
            <li key={filter.name} className="chip saved" data-current={filter.query === address}>
              <Link
                href={`/deliveries?${filter.query}`}
                aria-current={filter.query === address ? "true" : undefined}
              >
                {filter.name}
              </Link>
              <button type="button" aria-label={texts.remove(filter.name)} onClick={() => remove(filter)}>
                <X aria-hidden="true" />
              </button>
            </li>
          ))}
        </ul>
      )}
      {address !== "" && !isKnown && (
        <Button look="quiet" icon={<BookmarkPlus aria-hidden="true" />} onClick={() => setNaming(true)}>
          {texts.save}
        </Button>
      )}
      {naming && (
        <NameDialog
          onName={(name) => keep(withFilter(all, { workspace: workspaceId, name, query: address }))}
          onClose={() => setNaming(false)}
        />
      )}
    </div>
  );
}

function NameDialog({ onName, onClose }: { onName: (name: string) => void; onClose: () => void }) {
  const { filter: texts } = usePostsTexts();
  const [name, setName] = useState("");
  return (
    <AskDialog
      title={texts.saveTitle}
      submit={texts.save}
      act={async () => onName(name.trim())}
      onClose={onClose}
    >
      <TextField
        label={texts.name}
        hint={texts.saveHint}
        value={name}
        onChange={(event) => setName(event.target.value)}
        pattern=".*\S.*"
        maxLength={60}
        required
        autoFocus
        autoComplete="off"
      />
    </AskDialog>
  );
}

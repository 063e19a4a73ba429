import { type ClipboardEvent, type DragEvent, useEffect, useRef, useState } from "react";
import { Refused } from "../../api/index.ts";
import { type Medium, newKey } from "./post.ts";
import { uploadFile } from "./upload-file.ts";

export type UploadFault =
  | { readonly kind: "lost" | "large" | "unknown" }
  | { readonly kind: "other"; readonly reason: string };

export interface Waiting {
  readonly key: string;
  readonly file: File;
  /** How much has been sent, from 0 to 1. */
  readonly part: number;
  readonly fault?: UploadFault;
}

export interface Uploads {
  readonly waiting: readonly Waiting[];
  /** Files are held over the page. */
  readonly isOver: boolean;
  readonly add: (files: Iterable<File>) => void;
  readonly again: (key: string) => void;
  readonly remove: (key: string) => void;
  /** For whatever takes dropped and pasted files. */
  readonly handlers: {
    readonly onDragEnter: (event: DragEvent) => void;
    readonly onDragOver: (event: DragEvent) => void;
    readonly onDragLeave: (event: DragEvent) => void;
    readonly onDrop: (event: DragEvent) => void;
    readonly onPaste: (event: ClipboardEvent) => void;
  };
}

/** Uploads one file after another, so that they stay in the order in which they were given. */
export function useUploads(workspaceId: string, onDone: (medium: Medium) => void): Uploads {
  const [waiting, setWaiting] = useState<readonly Waiting[]>([]);
  const [isOver, setIsOver] = useState(false);
  const done = useRef(onDone);
  done.current = onDone;
  const current = waiting.find(({ fault }) => !fault);
  const change = (key: string, changes: Partial<Waiting>) =>
    setWaiting((all) => all.map((each) => (each.key === key ? { ...each, ...changes } : each)));
  const remove = (key: string) => setWaiting((all) => all.filter((each) => each.key !== key));

  const key = current?.key;
  const file = current?.file;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same functions do the same in every render
  useEffect(() => {
    if (!key || !file) return;
    let isWanted = true;
    const upload = uploadFile(workspaceId, file, (part) => isWanted && change(key, { part }));
    upload.done.then(
      ({ kind, url, file_name }) => {
        if (!isWanted) return;
        remove(key);
        done.current({ key: newKey(), kind, url, name: file_name, alt: "", rest: {} });
      },
      (error: unknown) => isWanted && change(key, { fault: faultOf(error) }),
    );
    return () => {
      isWanted = false;
      upload.cancel();
    };
  }, [workspaceId, key, file]);

  const add = (files: Iterable<File>) => {
    const given = [...files].map((each) => ({ key: newKey(), file: each, part: 0 }));
    setWaiting((all) => [...all, ...given]);
  };
  const take = (event: DragEvent | ClipboardEvent, from: DataTransfer) => {
    if (from.files.length === 0) return;
    event.preventDefault();
    add(from.files);
  };
  return {
    ...{ waiting, isOver, add, remove },
    again: (again) =>
      setWaiting((all) =>
        all.map((each) => (each.key === again ? { key: newKey(), file: each.file, part: 0 } : each)),
      ),
    handlers: {
      onDragEnter: (event) => setIsOver(hasFiles(event)),
      onDragOver: (event) => {
        if (hasFiles(event)) event.preventDefault();
      },
      onDragLeave: (event) => {
        if (!(event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget)))
          setIsOver(false);
      },
      onDrop: (event) => {
        setIsOver(false);
        take(event, event.dataTransfer);
      },
      onPaste: (event) => {
        // Text copied from an editor may bring a picture of itself along.
        if (!event.clipboardData.types.includes("text/plain")) take(event, event.clipboardData);
      },
    },
  };
}

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer.types.includes("Files");
}

function faultOf(error: unknown): UploadFault {
  if (!(error instanceof Refused)) return { kind: "lost" };
  if (error.status === 413) return { kind: "large" };
  return error.problem.detail ? { kind: "other", reason: error.problem.detail } : { kind: "unknown" };
}

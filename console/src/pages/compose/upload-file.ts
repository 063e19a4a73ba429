/** Files on their way to the server. Only XMLHttpRequest tells how much of a body has been sent. */
import { Refused, Unreachable, withQuery } from "../../api/index.ts";
import { type Upload, upload } from "./shapes.ts";

export interface Uploading {
  readonly done: Promise<Upload>;
  readonly cancel: () => void;
}

export function uploadFile(workspaceId: string, file: File, onProgress: (part: number) => void): Uploading {
  const request = new XMLHttpRequest();
  const done = new Promise<Upload>((resolve, reject) => {
    request.upload.addEventListener("progress", ({ loaded, total }) =>
      onProgress(total ? loaded / total : 0),
    );
    request.addEventListener("error", () => reject(new Unreachable(undefined)));
    request.addEventListener("abort", () => reject(new Unreachable(undefined)));
    request.addEventListener("load", () => {
      const answer = read(request.responseText);
      if (request.status >= 200 && request.status < 300) resolve(upload.parse(answer));
      else reject(new Refused(request.status, typeof answer === "object" && answer ? answer : {}));
    });
  });
  const query = { workspace_id: workspaceId, file_name: file.name.slice(-255) };
  request.open("POST", `/api/v1${withQuery("/media", query)}`);
  request.setRequestHeader("accept", "application/json");
  request.setRequestHeader("content-type", file.type || "application/octet-stream");
  request.send(file);
  return { done, cancel: () => request.abort() };
}

function read(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Where the page shows an uploaded file from; undefined for files that are somewhere else. */
export function previewOf(url: string | undefined, workspaceId: string): string | undefined {
  const id = url && /\/api\/v1\/media\/([0-9a-f-]{36})(?:[?#]|$)/.exec(url)?.[1];
  return id ? `/api/v1${withQuery(`/media/${id}`, { workspace_id: workspaceId })}` : undefined;
}

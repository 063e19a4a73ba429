import type { Module } from "../module/index.ts";
import { addSeo } from "./commands/seo.ts";

export const seo: Module = {
  name: "seo",
  commands: [addSeo],
  wire() {
    return {};
  },
};

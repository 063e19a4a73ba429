import { categoryContent, choice, choose, more, platformContent, reset } from "./content-screens.ts";

export const contentFlows = [] as const;
export const contentScreens = [categoryContent, platformContent, more, choice, choose, reset] as const;

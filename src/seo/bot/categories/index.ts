import { categoryCard, categoryList, categoryListPage } from "./category-screens.ts";
import { beginCategory, beginRename, createCategory, renameCategory } from "./create-category.ts";
import { askToDeleteCategory, deleteCategoryNow } from "./delete-category.ts";
import {
  askToDeleteDescription,
  deleteDescription,
  description,
  generate,
  waitingDescription,
  writeByHand,
} from "./description-screens.ts";
import { generateDescription } from "./generate-description.ts";
import { beginReviews, generateReviews, waitingReviews } from "./generate-reviews.ts";
import { addPrices, inputPrices, typePrices, uploadPrices } from "./input-prices.ts";
import { askToDeleteFile, deleteFile, media, mediaFile, mediaPageScreen, sendFile } from "./media-screens.ts";
import { askToDeletePrices, deletePrices, downloadPrices, prices, pricesPage } from "./price-screens.ts";
import { askToDeleteReviews, deleteReviews, reviews, reviewsPage } from "./review-screens.ts";
import { beginUpload, uploadMedia } from "./upload-media.ts";

export const categoryFlows = [
  ...[createCategory, renameCategory, generateDescription, inputPrices, generateReviews, uploadMedia],
] as const;
export const categoryScreens = [
  ...[categoryList, categoryListPage, beginCategory, categoryCard, beginRename],
  ...[askToDeleteCategory, deleteCategoryNow],
  ...[description, generate, writeByHand, waitingDescription, askToDeleteDescription, deleteDescription],
  ...[prices, pricesPage, addPrices, typePrices, uploadPrices, downloadPrices],
  ...[askToDeletePrices, deletePrices],
  ...[reviews, reviewsPage, beginReviews, waitingReviews, askToDeleteReviews, deleteReviews],
  ...[media, mediaPageScreen, mediaFile, sendFile, askToDeleteFile, deleteFile, beginUpload],
] as const;

// What the table's first card does not need. It comes after that, ahead of the moment when it is wanted.
import { Later } from "./later.svelte";

export const lively = new Later(() => import("./lively"));
export const senses = new Later(() => import("../senses/Senses.svelte"));
export const lobby = new Later(() => import("./Lobby.svelte"));
export const bottom = new Later(() => import("./Bottom.svelte"));
export const bots = new Later(() => import("../bots/BotSheet.svelte"));
export const royalties = new Later(() => import("./RoyaltyTable.svelte"));
export const watched = new Later(() => import("../board/Watched.svelte"));
export const side = new Later(() => import("./Side.svelte"));
export const talking = new Later(() => import("./talking"));
export const hinting = new Later(() => import("./Hints.svelte"));
export const counted = new Later(() => import("./counted"));
export const halted = new Later(() => import("./halted"));
export const fair = new Later(() => import("../fair/parts"));
export const dialogs = new Later(() => import("./Dialogs.svelte"));

import "./tokens.css";
import "./app.css";

import { mount } from "svelte";

import App from "./App.svelte";
import { speech } from "./i18n/index.svelte";
import { theme } from "./theme.svelte";

theme.show();
await speech.load();
const target = document.getElementById("app");
if (target) mount(App, { target });

import "./tokens.css";
import "./app.css";

import { mount } from "svelte";

import App from "./App.svelte";
import { theme } from "./theme.svelte";

theme.show();
const target = document.getElementById("app");
if (target) mount(App, { target });

// Starts the page.
import { mount } from 'svelte';
import App from './App.svelte';
import { applyTheme } from './lib/theme.svelte';
import './styles/theme.css';
import './styles/base.css';
import './styles/controls.css';

applyTheme();

const target = document.getElementById('app');
if (!target) throw new Error('index.html has no element #app');
mount(App, { target });

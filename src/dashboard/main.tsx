import './styles/base.css';
import './styles/controls.css';
import './styles/shell.css';
import './styles/lists.css';
import './styles/pages.css';
import './styles/presenter.css';
import { render } from 'preact';
import { App } from './app.tsx';
import { startLiveUpdates } from './data/live-updates.ts';
import { presented } from './present/address.ts';

if (presented.value === null) startLiveUpdates();
const root = document.getElementById('app');
if (root !== null) render(<App />, root);

import './styles/dashboard.css';
import { render } from 'preact';
import { App } from './app.tsx';
import { startLiveUpdates } from './data/live-updates.ts';
import { presented } from './present/address.ts';

if (presented.value === null) startLiveUpdates();
const root = document.getElementById('app');
if (root !== null) render(<App />, root);

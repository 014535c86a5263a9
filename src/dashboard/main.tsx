import './styles/dashboard.css';
import { render } from 'preact';
import { App } from './app.tsx';
import { follow } from './data/live-updates.ts';

follow();
const root = document.getElementById('app');
if (root !== null) render(<App />, root);

import './styles/tokens.css';
import './styles/controls.css';
import './styles/layout.css';
import './styles/records.css';
import './styles/presenter.css';
import { render } from 'preact';
import { App } from './app.tsx';
import { follow } from './data/news.ts';

follow();
const root = document.getElementById('app');
if (root !== null) render(<App />, root);

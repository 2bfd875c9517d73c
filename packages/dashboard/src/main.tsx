import { render } from 'preact';
import { App } from './app.tsx';
import './style/tokens.css';
import './style/base.css';
import './style/parts.css';
import './style/shell.css';

const place = document.getElementById('app');
if (place) render(<App />, place);

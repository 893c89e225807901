/** Program of the page. */
import { render } from 'preact';
import { documentIn, liveDocument } from '../opened.ts';
import { App } from './app.tsx';

const data = document.getElementById('document')?.textContent ?? '';
const isLive = data === liveDocument;
const root = document.getElementById('page');
const initial = data === '' || isLive ? undefined : documentIn(data);
if (root !== null) render(<App {...{ initial, isLive }} />, root);

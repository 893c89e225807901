/** Program of the page. */
import { render } from 'preact';
import { documentIn } from '../opened.ts';
import { App } from './app.tsx';

const data = document.getElementById('document')?.textContent ?? '';
const root = document.getElementById('page');
if (root !== null) render(<App initial={data === '' ? undefined : documentIn(data)} />, root);

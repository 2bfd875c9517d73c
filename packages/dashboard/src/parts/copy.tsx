import { useState } from 'preact/hooks';
import { Check, Copy } from 'lucide';
import { text } from '../text.ts';
import { Icon } from './icon.tsx';

const SHOWN_MS = 1_500;

/** Copies a text, and confirms it. @param what the name of the text, e.g. "project id" */
export function CopyButton({ text: value, what }: { text: string; what: string }) {
  const [isCopied, setCopied] = useState(false);
  const label = isCopied ? text.common.copied : text.common.copy(what);
  return (
    <button
      type="button"
      class="icon-button"
      title={label}
      aria-label={label}
      onClick={() => {
        void copyText(value).then(() => {
          setCopied(true);
          setTimeout(() => setCopied(false), SHOWN_MS);
        });
      }}
    >
      <Icon of={isCopied ? Check : Copy} />
    </button>
  );
}

/** Plain HTTP has no clipboard interface: there, the old way. */
async function copyText(text: string): Promise<void> {
  if (window.isSecureContext) {
    try {
      return await navigator.clipboard.writeText(text);
    } catch {
      // It may be disabled.
    }
  }
  const area = document.createElement('textarea');
  area.value = text;
  // In a dialog, nothing outside it can have the focus.
  (document.querySelector('dialog[open]') ?? document.body).append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}

/** Code to copy, such as a command. */
export function Snippet({ code, title }: { code: string; title?: string }) {
  return (
    <figure class="snippet">
      {title && <figcaption>{title}</figcaption>}
      <pre tabIndex={0}>
        <code>{code}</code>
      </pre>
      <CopyButton text={code} what={title ?? text.common.code} />
    </figure>
  );
}
